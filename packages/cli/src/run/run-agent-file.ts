import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { type AgentEvent, fileSessions, type RunResult } from "@tenterhook/agent";
import { type AgentCenter, type AgentRunStream, createAgentCenter } from "@tenterhook/agent/center";
import { auditLog } from "@tenterhook/engine/built-in";
import { FileHooks, findLocations } from "@tenterhook/file-hooks";
import { onAbort } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import { auditFailure, auditFile, makeAuditFolder } from "../audit/audit-record.ts";
import { EXIT, type ExitCode } from "../command.ts";
import { untilInterrupted } from "../interrupt.ts";
import { inOwnSession } from "../own-session.ts";
import { oneLine, print, printable, safeJson } from "../terminal.ts";
import { workingFolder } from "../working-folder.ts";
import { makeWritableFolder } from "../writable-folder.ts";
import { failureText } from "./event-text.ts";
import { beginRun, loadAgent } from "./load-agent.ts";
import { Progress } from "./progress.ts";
import { Screen } from "./screen.ts";
import { terminalApprover } from "./terminal-approver.ts";

interface FileRunOptions {
  readonly session?: string | undefined;
  readonly "work-dir"?: string | undefined;
  /** The folder of conversations; default: the state folder. */
  readonly data?: string | undefined;
  readonly "max-steps"?: number | undefined;
  readonly "no-file-hooks": boolean;
  readonly json: boolean;
}

/** Runs the agent of a file on a message, in this process. A message of `-` is read from standard input. */
export async function runAgentFile(
  file: string,
  messageArg: string,
  values: FileRunOptions,
): Promise<ExitCode> {
  const workDir = workingFolder(values["work-dir"], "--work-dir");
  const { state } = findLocations(workDir);
  const { session } = values;
  const conversations = join(resolve(values.data ?? state), "conversations");
  if (session !== undefined) {
    makeWritableFolder(conversations, {
      what: "the folder of conversations",
      remedy: "Choose another with --data, or set HOME or XDG_STATE_HOME to a writable folder.",
    });
  }
  const screen = new Screen();
  const failures = new Set<string>();
  const center = createAgentCenter({
    workDir,
    maxSteps: values["max-steps"],
    args: { ui: values.json ? "json" : "terminal" },
    approve: await terminalApprover(screen),
    report: (failure) => reportFailure(screen, failures, failure),
    ...(session !== undefined && {
      sessions: fileSessions(conversations),
    }),
  });
  const agentId = await loadAgent(center, file);
  const message = messageArg === "-" ? (await text(process.stdin)).trimEnd() : messageArg;
  captureSdkWarnings((warning) => showNote(screen, warning));
  const trail = attachHooks(center, screen, workDir, !values["no-file-hooks"]);
  const follow = values.json
    ? printEvents
    : (stream: AgentRunStream) => showProgress(stream, screen, failures);
  const ended = await untilInterrupted((signal) => {
    onAbort(signal, () => showNote(screen, "ending the run; Ctrl-C again to exit immediately"));
    const inSession = async (sessionId: string) => {
      const request = { session: center.createSession(agentId, { sessionId }), message, signal };
      try {
        return await follow(await beginRun(center, file, request));
      } finally {
        await center.close();
        await trail.flush();
      }
    };
    return session === undefined ? inOwnSession("run", state, inSession) : inSession(session);
  });
  return exitCode(ended);
}

function attachHooks(center: AgentCenter, screen: Screen, cwd: string, withFiles: boolean) {
  const fileHooks = new FileHooks({ cwd, log: (message) => showNote(screen, message) });
  if (withFiles) fileHooks.attach(center.hooks);
  makeAuditFolder(fileHooks.locations);
  return auditLog(center.hooks, {
    path: auditFile(fileHooks.locations),
    onError: (error) => showNote(screen, auditFailure(error)),
  });
}

async function printEvents(stream: AgentRunStream): Promise<RunResult> {
  for await (const event of stream) print(eventLine(event));
  return stream.finished;
}

async function showProgress(
  stream: AgentRunStream,
  screen: Screen,
  failures: Set<string>,
): Promise<RunResult> {
  const progress = new Progress(screen, { failures });
  for await (const event of stream) progress.report(event);
  const ended = await stream.finished;
  // On a terminal it has been streamed.
  if (ended.status === "completed" && !screen.isTerminal) print(ended.text.replace(/\n$/, ""));
  return ended;
}

/** Shows a failure of a hook once; later events of the run report the same failure. */
function reportFailure(
  screen: Screen,
  failures: Set<string>,
  { hook, event, message }: TenterhookError,
): void {
  const failure = failureText({ hook, event, reason: message });
  if (!failures.has(failure)) screen.line(`  ${screen.styles.yellow(oneLine(`! ${failure}`))}`);
  failures.add(failure);
}

function showNote(screen: Screen, message: string): void {
  screen.line(screen.styles.dim(`tenterhook: ${printable(message)}`));
}

function exitCode({ status, stopReason }: RunResult): ExitCode {
  if (stopReason === "aborted") return EXIT.interrupted;
  return { completed: EXIT.ok, failed: EXIT.wrong, stopped: EXIT.refused }[status];
}

/** An event of a run as one line of JSON. Errors become objects with name, message and code. */
function eventLine(event: AgentEvent): string {
  const json = JSON.stringify(event, (_, value: unknown) => {
    if (value instanceof Error) return errorFields(value);
    return typeof value === "bigint" ? String(value) : value;
  });
  return safeJson(json);
}

function errorFields(error: Error): Record<string, unknown> {
  const { name, message } = error;
  return { name, message, ...(TenterhookError.isInstance(error) && { code: error.code }) };
}

interface SdkWarnings {
  readonly warnings: readonly { readonly type: string; readonly [field: string]: unknown }[];
  readonly model?: string;
}

/** Takes the warnings of the AI SDK, which it would print to standard output, where only the answer belongs. */
function captureSdkWarnings(report: (warning: string) => void): void {
  const reported = new Set<string>();
  Object.assign(globalThis, {
    AI_SDK_LOG_WARNINGS: ({ warnings, model }: SdkWarnings) => {
      for (const { type, feature, details, message } of warnings) {
        const what = [message, feature, details].filter(Boolean).join(": ");
        const warning = `${model ?? "the model"}: ${type === "unsupported" ? "not supported: " : ""}${what}`;
        if (!reported.has(warning)) report(warning);
        reported.add(warning);
      }
    },
  });
}
