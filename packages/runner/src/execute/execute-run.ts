import type { Machine } from "../machine/machine.ts";
import { sessionName } from "../machine/session-name.ts";
import { asCurrentRun } from "./current-run.ts";
import { type Finished, failedEnding } from "./ending.ts";
import { runAgent } from "./run-agent.ts";
import { runProgram } from "./run-program.ts";
import type { Task } from "./task.ts";

/** Executes a run on this machine. It never rejects: an error is the ending of the run. */
export async function executeRun(task: Task, machine: Machine): Promise<Finished> {
  const { run } = task;
  let close = async () => {};
  try {
    const folder = await machine.workFolders.open(sessionName(run.session_id), run.kind === "hook");
    close = folder.close;
    const execute = run.blueprint.type === "autonomous" ? runAgent : runProgram;
    const { ending, background } = await asCurrentRun(run, () => execute(task, machine, folder.path));
    return { ending, background: settled(background.finally(close)) };
  } catch (error) {
    return { ending: failedEnding(error, "run_failed"), background: settled(close()) };
  }
}

/** An error after the end does not change the ending. */
function settled(background: Promise<unknown>): Promise<unknown> {
  return background.catch(() => undefined);
}
