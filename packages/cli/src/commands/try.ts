import { typedCommand } from "@tenterhook/internal";
import { defineCommand, option } from "../command.ts";
import { CALL_OPTIONS } from "../event/described-event.ts";
import { COORDINATOR_EVENTS, isCoordinators, knownEvents } from "../event/resolve-event.ts";
import { tryFileHooks } from "../event/try-file-hooks.ts";
import { ACCESS_OPTIONS } from "../fleet/access.ts";
import { refuseMisplaced } from "../read-arguments.ts";

/** Options for the hooks in HOOK.md folders only. */
const FILE_OPTIONS = {
  tool: CALL_OPTIONS.tool,
  command: CALL_OPTIONS.command,
  event: option.text("FILE", "the whole event as scripts receive it; - for standard input"),
  dir: option.text("D", "the working folder (default: this one)"),
} as const;

/** Options for a hook of a coordinator only. */
const COORDINATOR_OPTIONS = {
  hook: option.text("NAME", "a named hook of a coordinator"),
  agent: option.text("NAME", "an agent of a coordinator, whose hook is tried"),
  run: option.text("ID", "with --hook or --agent: a past run, whose input the hook gets"),
  ...ACCESS_OPTIONS,
} as const;

export const tryEvent = defineCommand({
  usage:
    "try [EVENT] [--tool T] [--input JSON | --command TEXT | --event FILE]\n" +
    "   try EVENT --hook NAME|--agent NAME --input JSON|--run ID",
  about:
    "Runs the hooks of an event and shows their answers and the result. Events of an agent, such as before_tool: the hooks in\n" +
    "HOOK.md folders, trusted or not; the audit trail records it as a trial. With --tool or --command the event is before_tool,\n" +
    "unless another is named. At events without a tool, --input gives the event's own fields.\n" +
    "Events of a coordinator, such as on_run_start: the hook that --hook or --agent names. It is really called, marked as a\n" +
    "trial; no run of the agent is started.\n" +
    "Exit 0 when the operation would proceed, 2 when it is blocked or stopped or a person is asked, 1 when a hook of a coordinator\n" +
    "fails.",
  options: {
    ...FILE_OPTIONS,
    input: option.text(
      "JSON",
      "the tool's input (of Shell also a plain command), or the hook's; @FILE from a file, - from standard input",
    ),
    ...COORDINATOR_OPTIONS,
  },
  otherOptions: {
    type: `The event is the first argument: ${typedCommand()} try on_run_start --hook NAME`,
  },
  arguments: { min: 0, max: 1 },
  examples: [
    {
      command: "tenterhook try --tool Shell --input 'rm -rf /'",
      means: "would this command be allowed?",
    },
    { command: "tenterhook try --event event.json", means: "an event from a file" },
    {
      command: `tenterhook try on_run_start --hook audit --input '{"parameters": {"environment": "production"}}'`,
      means: "a named hook of a coordinator",
    },
    {
      command: "tenterhook try on_run_start --agent deployer --run run_…",
      means: "the hook of an agent, with the parameters of a past run",
    },
  ],
  async run(values, [name]) {
    const event = name === undefined ? undefined : knownEvents(name).find(isCoordinators);
    if (event !== undefined) {
      refuseMisplaced(values, Object.keys(FILE_OPTIONS), {
        reason: `is for the HOOK.md hooks of this folder, and ${event} is an event of a coordinator`,
        hint: "Omit it. The hook's input is --input, or that of a past run with --run.",
      });
      const { tryCoordinatorHook } = await import("../fleet/try-coordinator-hook.ts");
      return tryCoordinatorHook(event, values);
    }
    const other =
      name === undefined ? "no event is named" : `${name} is an event of the HOOK.md hooks of this folder`;
    refuseMisplaced(values, Object.keys(COORDINATOR_OPTIONS), {
      reason: `is for a hook of a coordinator, and ${other}`,
      hint: `Name an event of a coordinator (${COORDINATOR_EVENTS.join(", ")}), or omit the option.`,
    });
    return tryFileHooks(name, values);
  },
});
