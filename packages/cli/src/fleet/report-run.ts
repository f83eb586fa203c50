import type { Run } from "@tenterhook/protocol/runs";
import { EXIT, type ExitCode } from "../command.ts";
import { untilInterrupted } from "../interrupt.ts";
import { Screen } from "../run/screen.ts";
import { notify, oneLine, print, printable, printJson } from "../terminal.ts";
import type { AccessValues } from "./access.ts";
import type { CoordinatorClient } from "./coordinator-client.ts";
import { followRun } from "./follow-run.ts";
import { missingRunner } from "./missing-runner.ts";
import { RunProgress } from "./run-progress.ts";
import { resultText } from "./shown-run.ts";

/** Tells of a run that was started, and with `wait` also what comes of it. Ctrl-C ends the waiting, not the run. */
export async function reportStartedRun(
  client: CoordinatorClient,
  started: Run,
  { wait, json, access }: { readonly wait: boolean; readonly json: boolean; readonly access: AccessValues },
): Promise<ExitCode> {
  if (!wait) {
    if (json) printJson(started);
    else {
      print(`${started.run_id} is ${started.status}, in session ${started.session_id}`);
      notify(`its page is ${pageOf(client, started)}`);
    }
    return EXIT.ok;
  }
  const screen = new Screen();
  if (!json) {
    screen.line(screen.styles.dim(`${started.run_id} in session ${started.session_id}`));
    screen.line(screen.styles.dim(pageOf(client, started)));
  }
  const missing = await missingRunner(client, started, access);
  if (missing !== undefined) screen.line(screen.styles.yellow(printable(missing)));
  const progress = json ? undefined : new RunProgress(screen);
  const isOver = await untilInterrupted((signal) =>
    watch(client, started.run_id, { screen, progress, signal }),
  );
  if (!isOver) {
    screen.line(`The run goes on. To end it: tenterhook runs stop ${started.run_id}`);
    return EXIT.interrupted;
  }
  const ended = await client.get<Run>(`/runs/${started.run_id}`);
  if (json) printJson(ended);
  else reportEnd(ended, screen, (reason) => progress?.isReported(reason) ?? false);
  return exitCode(ended);
}

/** Where the page shows it. */
function pageOf({ url }: CoordinatorClient, { run_id }: Run): string {
  return `${url}/runs/${run_id}`;
}

/** Whether it has ended. */
async function watch(
  client: CoordinatorClient,
  runId: string,
  { screen, progress, signal }: { screen: Screen; progress: RunProgress | undefined; signal: AbortSignal },
): Promise<boolean> {
  const onConnection = (state: "lost" | "back") =>
    screen.line(state === "lost" ? "the coordinator is away; waiting for it" : "the coordinator is back");
  for await (const event of followRun(client, runId, { signal, onConnection })) progress?.tell(event);
  return !signal.aborted;
}

function reportEnd(run: Run, screen: Screen, isReported: (reason: string) => boolean): void {
  const { bold, green, red, yellow } = screen.styles;
  const style = run.status === "completed" ? green : run.status === "stopped" ? yellow : red;
  const why = run.block_reason ?? run.error ?? run.stop_reason;
  // Of all codes this one says what the error's text may not: the work may be done, and was not judged.
  const code = run.error_code === "gate_unsatisfied" ? ", gate_unsatisfied" : "";
  const how = run.block_reason === null ? `${run.status}${code}` : "blocked";
  screen.line(`${bold(style(how))}${why === null || isReported(why) ? "" : `: ${oneLine(why)}`}`);
  const result = resultText(run);
  if (result !== undefined) print(process.stdout.isTTY ? printable(result) : result);
}

function exitCode({ status, block_reason }: Run): ExitCode {
  if (status === "completed") return EXIT.ok;
  return status === "stopped" || block_reason !== null ? EXIT.refused : EXIT.wrong;
}
