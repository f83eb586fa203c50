import type { HookTrial } from "@tenterhook/protocol/runs";
import { RUN_HOOK_TYPES } from "@tenterhook/protocol/runs";
import { defineCommand, EXIT, type ExitCode } from "../command.ts";
import { ACCESS_OPTIONS, findAccess } from "../fleet/access.ts";
import { CoordinatorClient } from "../fleet/coordinator-client.ts";
import { jsonObject } from "../json-argument.ts";
import {
  bold,
  dim,
  duration,
  green,
  jsonText,
  print,
  printable,
  printJson,
  red,
  yellow,
} from "../terminal.ts";
import { UsageError } from "../usage-error.ts";

export const tryHook = defineCommand({
  usage: "try-hook [NAME | --agent A] [--type T] (--input JSON | --run ID)",
  about:
    "Calls a hook of a coordinator, a named one or one of an agent, and shows its answer and what that would mean for a run.\n" +
    "The hook is really called, marked as a trial; no run of the agent is started. Exit 0 when the run would proceed, 2 when the\n" +
    "hook blocks or asks a person, 1 when it fails.",
  options: {
    ...ACCESS_OPTIONS,
    agent: { type: "string", value: "A", about: "the agent whose hook is tried" },
    type: { type: "string", value: "T", about: "the type of hook (default: on_run_start)" },
    input: {
      type: "string",
      value: "JSON",
      about: "the hook's input; @FILE from a file, - from standard input",
    },
    run: { type: "string", value: "ID", about: "a past run, whose input the hook gets" },
  },
  arguments: { min: 0, max: 1 },
  examples: [
    {
      command: `tenterhook try-hook audit --input '{"parameters": {"environment": "production"}}'`,
      means: "a named hook",
    },
    {
      command: "tenterhook try-hook --agent deployer --type on_run_start --run run_…",
      means: "a hook of an agent, with the parameters of a past run",
    },
  ],
  async run({ agent, type = "on_run_start", input, run, json, ...access }, [name]) {
    if ((name === undefined) === (agent === undefined)) {
      throw new UsageError("give the name of a hook, or --agent.", "tenterhook try-hook NAME --input '{}'");
    }
    if ((input === undefined) === (run === undefined)) {
      throw new UsageError("give --input or --run.", `The smallest input is '{}'.`);
    }
    if (!RUN_HOOK_TYPES.some((known) => known === type)) {
      throw new UsageError(`unknown type "${type}".`, `Known: ${RUN_HOOK_TYPES.join(", ")}.`);
    }
    const subject = input === undefined ? { run_id: run } : { input: await jsonObject(input, "--input") };
    const client = new CoordinatorClient(findAccess(access));
    const trial =
      name === undefined
        ? await client.send<HookTrial>(
            "POST",
            `/agents/${encodeURIComponent(agent ?? "")}/hooks/${type}/trial`,
            {
              body: subject,
            },
          )
        : await client.send<HookTrial>("POST", `/hooks/${encodeURIComponent(name)}/trial`, {
            body: { hook_type: type, ...subject },
          });
    if (json) printJson(trial);
    else printTrial(trial);
    return EXITS[trial.outcome];
  },
});

const EXITS: Readonly<Record<HookTrial["outcome"], ExitCode>> = {
  proceed: EXIT.ok,
  block: EXIT.refused,
  ask: EXIT.refused,
  failed: EXIT.wrong,
};
const STYLES = { proceed: green, block: red, ask: yellow, failed: red } as const;

function printTrial(trial: HookTrial): void {
  const { outcome, reason, error, target_name, http_status, changes, run_id } = trial;
  const why = reason ?? error;
  print(`${bold(STYLES[outcome](outcome))}${why === null ? "" : `: ${printable(why)}`}`);
  print(printable(trial.meaning));
  if (changes !== null) {
    for (const [field, after] of Object.entries(changes.after)) {
      print(`${field}: ${jsonText(changes.before[field])} → ${jsonText(after)}`);
    }
  }
  const status = http_status === null ? [] : [`HTTP status ${http_status}`];
  const ran = run_id === null ? [] : [run_id];
  print(dim([printable(target_name), duration(trial.duration_ms), ...status, ...ran].join("  ")));
}
