import { existsSync } from "node:fs";
import { typedCommand } from "@tenterhook/internal";
import { defineCommand, type ExitCode, option, type Values } from "../command.ts";
import { ACCESS_OPTIONS, NO_COORDINATOR } from "../fleet/access.ts";
import { explainError } from "../fleet/request-usage-error.ts";
import { refuseMisplaced } from "../read-arguments.ts";
import { UsageError } from "../usage-error.ts";

const options = {
  session: option.text("ID", "continue or start this conversation"),
  resume: option.text("SESSION", "continue a session of a coordinator with its agent; AGENT is left out"),
  detach: option.flag("only start the run, and print its id; the default inside a run"),
  wait: option.flag("wait for the result, also inside a run (TENTERHOOK_RUN_ID is set)"),
  ...ACCESS_OPTIONS,
  data: option.text(
    "D",
    "the data folder: of a coordinator on this machine, or with a file of its conversations",
  ),
  "work-dir": option.text("D", "a file: the working folder of tools (default: this one)"),
  "max-steps": option.number("N", "a file: the maximum number of steps (default: 50)"),
  "no-file-hooks": option.flag("a file: without hooks in HOOK.md folders"),
} as const;

export const run = defineCommand({
  usage:
    "run AGENT [MESSAGE | KEY=VALUE… | '{\"JSON\": …}'] [--session ID] [--detach | --wait] | run --resume SESSION [MESSAGE | KEY=VALUE… | '{\"JSON\": …}']",
  about:
    "Runs an agent, shows its progress on standard error, and prints its result alone to standard output.\n" +
    "AGENT is a JSON file, if it contains a / or ends with .json: the agent runs here, with your own hooks and those of the\n" +
    "trusted project. Anything else is the name of an agent of a coordinator, where a runner executes it.\n" +
    "A file takes one message; - reads it from standard input. An agent of a coordinator takes parameters: a message, which\n" +
    "becomes the parameter message, prompt or the only required text of the agent; key=value, repeatedly; a JSON object,\n" +
    "with @FILE from a file; - reads a message or a JSON object from standard input.\n" +
    "With --resume another run is started in a session of a coordinator, with the session's agent. A callback to a parent\n" +
    "session works the same way.\n" +
    "Inside a run (TENTERHOOK_RUN_ID is set) it only starts a run of a coordinator; --wait waits, and needs a free slot.\n" +
    "Ctrl-C ends a run of a file. It ends only the waiting for a run of a coordinator, which continues.\n" +
    "Exit 0 when it completed, 2 when it was stopped, refused or blocked by a hook, 1 when it failed, 130 after Ctrl-C.",
  options,
  arguments: { min: 0, max: Number.POSITIVE_INFINITY },
  examples: [
    { command: 'tenterhook run assistant.json "Tidy up this folder"', means: "an agent of a file, here" },
    {
      command: "git diff | tenterhook run reviewer.json - > review.md",
      means: "the message from one program, the answer to another",
    },
    {
      command: 'tenterhook run assistant.json "And now the tests" --session refactoring',
      means: "continue the session",
    },
    { command: 'tenterhook run hello "Who are you?"', means: "an agent of a coordinator" },
    { command: 'tenterhook run --resume ses_… "And then?"', means: "continue a session with its agent" },
    { command: "tenterhook run deployer environment=production --detach", means: "only start it" },
    {
      command: `tenterhook run report-generator '{"report_id": "R123"}'`,
      means: "with parameters as JSON",
    },
  ],
  async run({ resume, ...values }, given) {
    if (resume !== undefined) return resumed(resume, given, values);
    const [agent, ...args] = given;
    if (agent === undefined)
      throw new UsageError("missing argument.", `Usage: ${typedCommand()} run AGENT [MESSAGE | KEY=VALUE…]`);
    if (isFile(agent)) {
      refuseMisplaced(values, ["detach", "wait", "url", "token"], {
        reason: `is for an agent of a coordinator, and ${agent} is a file, which runs here`,
        hint: `Omit it, or write the name of an agent: ${typedCommand()} agents lists them.`,
      });
      const { runAgentFile } = await import("../run/run-agent-file.ts");
      return runAgentFile(agent, onlyMessage(agent, args), values);
    }
    checkName(agent);
    refuseMisplaced(values, ["max-steps", "work-dir", "no-file-hooks"], {
      reason: `is for an agent in a file, and ${agent} is the name of an agent of a coordinator`,
      hint: `Omit it. ${fileHint(agent) ?? "A file contains a / or ends with .json."}`,
    });
    const { runNamedAgent } = await import("../fleet/start-run.ts");
    return withFileHint(agent, () => runNamedAgent(agent, args, values));
  },
});

async function resumed(
  session: string,
  args: readonly string[],
  values: Omit<Values<typeof options>, "resume">,
): Promise<ExitCode> {
  refuseMisplaced(values, ["session", "max-steps", "work-dir", "no-file-hooks"], {
    reason: "is for an agent that is named, and --resume takes the agent of a session",
    hint: "Omit one of them.",
  });
  const { resumeSession } = await import("../fleet/start-run.ts");
  return resumeSession(session, args, values);
}

/** Whether an agent is a file. The name of an agent of a coordinator contains neither a slash nor a dot. */
function isFile(agent: string): boolean {
  return /[/\\]/.test(agent) || agent.toLowerCase().endsWith(".json");
}

function checkName(agent: string): void {
  if (/^[a-z0-9][\w-]*$/i.test(agent)) return;
  throw new UsageError(
    `"${agent}" is neither a JSON file nor the name of an agent.`,
    fileHint(agent) ??
      "A file contains a / or ends with .json; a name has only letters, digits, hyphens and underscores.",
  );
}

function onlyMessage(file: string, [message, second]: readonly string[]): string {
  if (message === undefined) {
    throw new UsageError(
      "missing message.",
      `Write it after the file: ${typedCommand()} run ${file} "MESSAGE"; - reads it from standard input.`,
    );
  }
  if (second === undefined) return message;
  throw new UsageError(
    `"${second}" is a second message, and an agent in a file takes one.`,
    `Quote the message, as "${message} ${second}".`,
  );
}

/** Advice when a file of this folder may be what a name means. */
function fileHint(agent: string): string | undefined {
  const file = [`${agent}.json`, agent].find((path) => agent !== "" && existsSync(path));
  return file === undefined ? undefined : `For the file in this folder: ${typedCommand()} run ./${file}`;
}

/** Codes of errors after which a file of the same name may be what the user means. */
const MISSING: ReadonlySet<unknown> = new Set([NO_COORDINATOR, "unknown_agent", "not_found"]);

async function withFileHint<T>(agent: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const error = await explainError(thrown);
    if (!(error instanceof UsageError) || !MISSING.has(error.details.code)) throw error;
    const hints = [error.hint, fileHint(agent)].filter((hint) => hint !== undefined);
    throw new UsageError(error.message, hints.join("\n"), error.details);
  }
}
