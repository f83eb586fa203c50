import { typedCommand } from "@tenterhook/internal";
import type { EventName } from "@tenterhook/protocol";
import type { HookTrial, RunHookType } from "@tenterhook/protocol/runs";
import { EXIT, type ExitCode } from "../command.ts";
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
import { type AccessValues, findAccess } from "./access.ts";
import { CoordinatorClient } from "./coordinator-client.ts";

interface TrialOptions extends AccessValues {
  /** The name of a hook, or an agent whose hook is tried. */
  readonly hook: string | undefined;
  readonly agent: string | undefined;
  readonly input: string | undefined;
  /** A past run, whose input the hook gets. */
  readonly run: string | undefined;
  readonly json: boolean;
}

/** Calls a hook of a coordinator, and prints its answer and what that would mean for a run. */
export async function tryCoordinatorHook(
  event: EventName,
  { hook, agent, input, run, json, ...access }: TrialOptions,
): Promise<ExitCode> {
  const example = `${typedCommand()} try ${event} --hook NAME --input '{}'`;
  if (hook === undefined && agent === undefined) {
    throw new UsageError(
      `${event} is an event of a coordinator, so --hook or --agent is missing.`,
      `Name a hook or an agent of it: ${example}, or --agent NAME for the hook of an agent.`,
    );
  }
  if (hook !== undefined && agent !== undefined) {
    throw new UsageError("--hook and --agent are mutually exclusive.", `Use one of them: ${example}`);
  }
  if ((input === undefined) === (run === undefined)) {
    throw new UsageError(
      input === undefined ? "--input or --run is missing." : "--input and --run are mutually exclusive.",
      `--input is the hook's input, the smallest is '{}'; --run ID takes that of a past run.`,
    );
  }
  const subject = input === undefined ? { run_id: run } : { input: await jsonObject(input, "--input") };
  const client = new CoordinatorClient(findAccess(access));
  // The coordinator names the types, and refuses other events.
  const trial =
    hook === undefined
      ? await client.trials.tryAgentHook(agent ?? "", event, subject)
      : await client.trials.tryHook(hook, { hook_type: event as RunHookType, ...subject });
  if (json) printJson(trial);
  else printTrial(trial);
  return EXITS[trial.outcome];
}

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
