import type { RunOutcomes } from "@tenterhook/protocol/runs";
import { EXIT, type ExitCode } from "../command.ts";
import { notify, oneLine, print, printJson, red } from "../terminal.ts";
import type { CoordinatorClient } from "./coordinator-client.ts";

/** The most runs of one request. */
const MAX_IDS = 100;

/** Stops or retries several runs, and prints the outcome of each. The exit code is 1 when one of them was refused. */
export async function changeRuns(
  client: CoordinatorClient,
  action: "stop" | "retry",
  ids: readonly string[],
  { json, reason }: { readonly json: boolean; readonly reason?: string | undefined },
): Promise<ExitCode> {
  const outcomes: RunOutcomes["outcomes"] = [];
  for (let first = 0; first < ids.length; first += MAX_IDS) {
    const body = { ids: ids.slice(first, first + MAX_IDS), ...(reason !== undefined && { reason }) };
    const change = action === "stop" ? client.runs.stopMany(body) : client.runs.retryMany(body);
    outcomes.push(...(await change).outcomes);
  }
  if (json) printJson({ outcomes });
  else for (const outcome of outcomes) printOutcome(action, outcome);
  return outcomes.some(({ problem }) => problem !== null) ? EXIT.wrong : EXIT.ok;
}

function printOutcome(
  action: "stop" | "retry",
  { run_id, run, problem }: RunOutcomes["outcomes"][number],
): void {
  if (run === null) notify(red(`${run_id}: ${oneLine(problem?.detail ?? "refused")}`));
  else if (action === "stop") print(`${run_id} is ${run.status}`);
  else print(`${run_id}: ${run.run_id} is ${run.status}, in session ${run.session_id}`);
}
