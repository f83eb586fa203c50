import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { fileSessions, type Run } from "@tenterhook/agent";
import { type AgentCenter, type AgentRunStream, createAgentCenter } from "@tenterhook/agent/center";
import { auditLog } from "@tenterhook/engine/built-in";
import { FileHooks, findLocations } from "@tenterhook/file-hooks";
import type { TenterhookError } from "@tenterhook/protocol";
import { onAbort } from "@tenterhook/protocol/support";
import { auditFailure, auditFile, makeAuditFolder } from "../audit/audit-file.ts";
import { defineCommand, EXIT, type ExitCode } from "../command.ts";
import { untilInterrupted } from "../interrupt.ts";
import { inOwnSession } from "../own-session.ts";
import { wholeNumber } from "../read-arguments.ts";
import { eventLine } from "../run/event-line.ts";
import { failureText } from "../run/event-text.ts";
import { beginRun, loadAgent } from "../run/load-agent.ts";
import { Progress } from "../run/progress.ts";
import { Screen } from "../run/screen.ts";
import { captureSdkWarnings } from "../run/sdk-warnings.ts";
import { terminalApprover } from "../run/terminal-approver.ts";
import { oneLine, print, printable } from "../terminal.ts";
import { workingFolder } from "../working-folder.ts";
import { makeWritableFolder } from "../writable-folder.ts";

export const run = defineCommand({
  usage: 'run AGENT.json "MESSAGE" [--session ID] [--work-dir D] [--max-steps N]',
  about:
    "Runs an agent on a message, with your own hooks and those of the trusted project. Progress goes to standard error,\n" +
    "the answer alone to standard output: on a terminal as it is streamed, otherwise when it is final. Approvals are asked\n" +
    "at the terminal; without one they are rejected. A message of - is read from standard input.\n" +
    "Exit 0 when it completed, 2 when it was stopped or refused, 1 when it failed, 130 after Ctrl-C.",
  options: {
    session: { type: "string", value: "ID", about: "continue or start this conversation, which is stored" },
    "work-dir": { type: "string", value: "D", about: "the working folder of tools (default: this one)" },
    data: { type: "string", value: "D", about: "the folder of conversations (default: the state folder)" },
    "max-steps": { type: "string", value: "N", about: "the maximum number of steps (default: 50)" },
    "no-file-hooks": { type: "boolean", about: "without hooks in HOOK.md folders" },
  },
  arguments: { min: 2, max: 2 },
  examples: [
    { command: 'tenterhook run assistant.json "Tidy up this folder"', means: "run it with progress" },
    {
      command: "git diff | tenterhook run reviewer.json - > review.md",
      means: "the message from one program, the answer to another",
    },
    {
      command: 'tenterhook run assistant.json "And now the tests" --session refactoring',
      means: "continue the session",
    },
  ],
  async run(values, [file = "", messageArg = ""]) {
    const workDir = workingFolder(values["work-dir"], "--work-dir");
    const maxSteps = wholeNumber("--max-steps", values["max-steps"], 1);
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
      maxSteps,
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
  },
});

function attachHooks(center: AgentCenter, screen: Screen, cwd: string, withFiles: boolean) {
  const fileHooks = new FileHooks({ cwd, log: (message) => showNote(screen, message) });
  if (withFiles) fileHooks.attach(center.hooks);
  makeAuditFolder(fileHooks.locations);
  return auditLog(center.hooks, {
    path: auditFile(fileHooks.locations),
    onError: (error) => showNote(screen, auditFailure(error)),
  });
}

async function printEvents(stream: AgentRunStream): Promise<Run> {
  for await (const event of stream) print(eventLine(event));
  return stream.finished;
}

async function showProgress(stream: AgentRunStream, screen: Screen, failures: Set<string>): Promise<Run> {
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

function exitCode({ status, stopReason }: Run): ExitCode {
  if (stopReason === "aborted") return EXIT.interrupted;
  return { completed: EXIT.ok, failed: EXIT.wrong, stopped: EXIT.refused }[status];
}
