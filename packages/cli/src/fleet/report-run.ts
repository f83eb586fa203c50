import { typedCommand } from "@tenterhook/internal";
import type { Run, Waiting } from "@tenterhook/protocol/runs";
import { EXIT, type ExitCode } from "../command.ts";
import { untilInterrupted } from "../interrupt.ts";
import { Screen } from "../run/screen.ts";
import { notify, oneLine, print, printable, printJson } from "../terminal.ts";
import type { AccessValues } from "./access.ts";
import type { CoordinatorClient } from "./coordinator-client.ts";
import { RunProgress } from "./run-progress.ts";

/** Prints a started run, and its progress and result unless it is detached. Ctrl-C ends the waiting, not the run. */
export async function reportStartedRun(
  client: CoordinatorClient,
  started: Run,
  {
    detach,
    json,
    access,
  }: { readonly detach: boolean; readonly json: boolean; readonly access: AccessValues },
): Promise<ExitCode> {
  if (detach) {
    if (json) printJson(started);
    else {
      print(`${started.run_id} is ${started.status}, in session ${started.session_id}`);
      notify(`page: ${pageOf(client, started)}`);
    }
    return EXIT.ok;
  }
  const screen = new Screen();
  if (!json) {
    screen.line(screen.styles.dim(`${started.run_id} in session ${started.session_id}`));
    screen.line(screen.styles.dim(pageOf(client, started)));
  }
  const notice = await waitingNotice(client, started, access);
  if (notice !== undefined) screen.line(screen.styles.yellow(printable(notice)));
  const progress = json ? undefined : new RunProgress(screen);
  const hasEnded = await untilInterrupted((signal) =>
    followToEnd(client, started.run_id, { screen, progress, signal }),
  );
  if (!hasEnded) {
    screen.line(
      `The run continues; ${typedCommand()} runs show ${started.run_id} shows it. To stop it: ${typedCommand()} runs stop ${started.run_id}`,
    );
    return EXIT.interrupted;
  }
  const ended = await client.runs.read(started.run_id);
  if (json) printJson(ended);
  else reportEnd(ended, screen, (reason) => progress?.isReported(reason) ?? false);
  return exitCode(ended);
}

/** The address of a run in the dashboard. */
function pageOf({ url }: CoordinatorClient, { run_id }: Run): string {
  return `${url}/runs/${run_id}`;
}

/** Resolves to whether the run has ended. */
async function followToEnd(
  client: CoordinatorClient,
  runId: string,
  { screen, progress, signal }: { screen: Screen; progress: RunProgress | undefined; signal: AbortSignal },
): Promise<boolean> {
  const onConnection = (state: "lost" | "back") =>
    screen.line(state === "lost" ? "connection to the coordinator lost; retrying" : "connected again");
  for await (const event of client.runs.events(runId, { signal, onConnection })) progress?.report(event);
  return !signal.aborted;
}

function reportEnd(run: Run, screen: Screen, isReported: (reason: string) => boolean): void {
  const { bold, green, red, yellow } = screen.styles;
  const style = run.status === "completed" ? green : run.status === "stopped" ? yellow : red;
  const why = run.block_reason ?? run.error ?? run.stop_reason;
  // This code adds information to the error: the work may be done, but was not accepted.
  const code = run.error_code === "gate_unsatisfied" ? ", gate_unsatisfied" : "";
  const label = run.block_reason === null ? `${run.status}${code}` : "blocked";
  screen.line(`${bold(style(label))}${why === null || isReported(why) ? "" : `: ${oneLine(why)}`}`);
  const result = resultText(run);
  if (result !== undefined) print(process.stdout.isTTY ? printable(result) : result);
}

/** The result of a run for standard output: its text, or its data as JSON. */
function resultText({ result_text, result_data }: Run): string | undefined {
  if (result_data !== null) return JSON.stringify(result_data, undefined, 2);
  return result_text?.replace(/\n$/, "") || undefined;
}

function exitCode({ status, block_reason }: Run): ExitCode {
  if (status === "completed") return EXIT.ok;
  return status === "stopped" || block_reason !== null ? EXIT.refused : EXIT.wrong;
}

/**
 * A notice of why a run that was just started waits, and how to start a runner if one is missing. `undefined` when it only
 * waits for runs before it, or when this cannot be determined.
 */
async function waitingNotice(
  client: CoordinatorClient,
  { run_id, status }: Run,
  access: AccessValues,
): Promise<string | undefined> {
  if (status !== "pending" && status !== "ready") return undefined;
  try {
    const { waiting } = await client.runs.read(run_id);
    if (!waiting || waiting.reason === "position") return undefined;
    if (waiting.reason !== "no_runner" && waiting.reason !== "no_runner_with_tags") {
      return `The run waits: ${waitingText(waiting)}.`;
    }
    return `${waiting.detail}, so the run waits. Start one with: ${runnerCommand(waiting.tags, access)}`;
  } catch {
    // This is only advice.
    return undefined;
  }
}

/** Why a run is in the queue, and its position. */
export function waitingText({ detail, reason, position, more }: Waiting): string {
  return reason === "position" ? detail : `${detail}; position ${position}${more ? "+" : ""} in the queue`;
}

function runnerCommand(tags: readonly string[], { url, data }: AccessValues): string {
  const where = url === undefined ? (data === undefined ? [] : ["--data", data]) : ["--url", url];
  const wanted = tags.length === 0 ? [] : ["--tags", tags.join(",")];
  return [`${typedCommand()} runners start`, ...where, ...wanted].join(" ");
}
