import { isRecord, shortened } from "@tenterhook/internal";
import {
  hookTally,
  MAX_RUNNER_HOOK_NAME,
  type RunHookType,
  type RunnerHookOutcome,
  runnerHookOutcome,
} from "@tenterhook/protocol/runs";
import type { Json } from "../store/rows.ts";

/** What a hook on the runner did, as it is counted. */
export interface ReportedHook {
  readonly hook: string;
  readonly event: string;
  readonly outcome: RunnerHookOutcome;
  readonly count: number;
}

/** The actions of the event table. One that only a newer runner knows is not counted. */
const OUTCOMES: ReadonlyMap<unknown, RunnerHookOutcome> = new Map([
  ["go_on", "changed"],
  ["refuse", "blocked"],
  ["hold", "blocked"],
  ["fail", "blocked"],
  ["record", "blocked"],
  ["skip", "skipped"],
  ["recover", "recovered"],
  ["stop", "stopped"],
  ["release", "failed"],
  ["raise", "failed"],
]);

/** What only tallies say: the other outcomes have events of their own. */
const TALLIED: ReadonlyMap<string, RunnerHookOutcome> = new Map([
  ["passed", "passed"],
  ["added_context", "passed"],
  ["started_in_background", "passed"],
  ["asked", "asked"],
]);

/** The runner calls the run's own hook of tool calls under this name. Its results are those of the run hook. */
const RUN_HOOK: RunHookType = "on_tool_call";

/** What an event reports of hooks: of the agent's own, or of those of one of its subagents. */
export function readReportedHooks({
  type,
  data,
}: {
  readonly type: unknown;
  readonly data: Json;
}): readonly ReportedHook[] {
  // What happened in a subagent is stored as its runner reported it: its fields are not checked.
  if (type === "subagent" && isRecord(data.event))
    return readReportedHooks({ type: data.event.event_type, data: data.event });
  if (type === "hook_tallies") return readTallies(data);
  return type === "hook_acted" ? readAct(data) : [];
}

function readAct({ hook, event, action, failed, not_enforced }: Json): readonly ReportedHook[] {
  const outcome =
    failed === true
      ? "failed"
      : not_enforced === undefined
        ? OUTCOMES.get(action)
        : runnerHookOutcome.safeParse(not_enforced).data;
  // Without a name the host itself decided, for example by a permission.
  if (
    typeof hook !== "string" ||
    hook === "" ||
    hook === RUN_HOOK ||
    typeof event !== "string" ||
    outcome === undefined
  )
    return [];
  return [{ hook: short(hook), event: short(event), outcome, count: 1 }];
}

function readTallies({ tallies }: Json): readonly ReportedHook[] {
  return (Array.isArray(tallies) ? tallies : []).flatMap((row) => {
    const { data: tally } = hookTally.safeParse(row);
    const outcome = tally && TALLIED.get(tally.outcome);
    if (tally === undefined || outcome === undefined || tally.hook === "" || tally.count === 0) return [];
    return [{ hook: short(tally.hook), event: short(tally.event), outcome, count: tally.count }];
  });
}

/** As in tallies and roll-ups, so that a hook has one name everywhere. */
function short(name: string): string {
  return shortened(name, MAX_RUNNER_HOOK_NAME);
}
