import type { Machine } from "../machine/machine.ts";
import { sessionName } from "../machine/session-name.ts";
import { type Finished, failedEnding } from "./ending.ts";
import { runAgent } from "./run-agent.ts";
import { runProgram } from "./run-program.ts";
import type { Task } from "./task.ts";

/** Carries out a run on this machine. It never rejects: whatever goes wrong is how the run ended. */
export async function carryOutRun(task: Task, machine: Machine): Promise<Finished> {
  const { run } = task;
  let close = async () => {};
  try {
    const folder = await machine.workFolders.open(sessionName(run.session_id), run.kind === "hook");
    close = folder.close;
    const carryOut = run.blueprint.type === "autonomous" ? runAgent : runProgram;
    const { ending, rest } = await carryOut(task, machine, folder.path);
    return { ending, rest: settled(rest.finally(close)) };
  } catch (error) {
    return { ending: failedEnding(error, "run_failed"), rest: settled(close()) };
  }
}

/** What goes wrong after the end is nobody's failure any more. */
function settled(rest: Promise<unknown>): Promise<unknown> {
  return rest.catch(() => undefined);
}
