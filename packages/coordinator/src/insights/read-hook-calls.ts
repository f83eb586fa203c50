import { shortened } from "@tenterhook/internal";
import {
  BUCKET_COUNT,
  findBucket,
  type HookTally,
  hookTally,
  MAX_TALLIED_NAME,
} from "@tenterhook/protocol/runs";
import type { Json } from "../store/rows.ts";
import { readAct } from "./read-act.ts";

/** A hook of a run, or of its runner. */
export interface CalledHook {
  readonly hook: string;
  readonly kind: "named" | "inline" | "runner";
  readonly event: string;
}

/** Calls of a hook that had the same outcome. */
export type HookCalls = CalledHook & Omit<HookTally, "hook" | "event">;

/** Why a hook decided so. */
export type HookReason = CalledHook & { readonly outcome: string; readonly reason: string };

/** What an event says about hooks. */
export interface ReadHookCalls {
  readonly calls: readonly HookCalls[];
  readonly reason?: HookReason | undefined;
}

const NOTHING: ReadHookCalls = { calls: [] };

/** Reads the calls of hooks from an event of a run; other events than those of hooks have none. */
export function readHookCalls(type: string, data: Json): ReadHookCalls {
  switch (type) {
    case "hook_tallies":
      return readTallies(data);
    case "hook_acted":
      return readActed(data);
    case "approval_requested":
      return readQuestion(data);
    case "hook_complete":
    case "hook_blocked":
    case "hook_failed":
      return readRunHook(type, data);
    default:
      return NOTHING;
  }
}

function readTallies({ tallies }: Json): ReadHookCalls {
  const rows = Array.isArray(tallies) ? tallies : [];
  return {
    calls: rows.flatMap((row) => {
      const { data: tally } = hookTally.safeParse(row);
      return tally === undefined ? [] : { ...tally, kind: "runner" as const };
    }),
  };
}

/** Runners of this version report tallies, too; of earlier ones only these events are known. */
function readActed(data: Json): ReadHookCalls {
  const { hook, event, tallied } = data;
  // The coordinator's own hook has events of its own.
  if (typeof hook !== "string" || typeof event !== "string" || hook === "on_tool_call") return NOTHING;
  const act = readAct(data);
  if (act === undefined) return NOTHING;
  const { outcome, reason } = act;
  // Of a subagent's events the fields are not checked; the names in tallies are as long at most.
  const called: CalledHook = {
    hook: shortened(hook, MAX_TALLIED_NAME),
    kind: "runner",
    event: shortened(event, MAX_TALLIED_NAME),
  };
  return {
    calls: tallied === true ? [] : [oneCall(called, outcome)],
    reason: reason === undefined ? undefined : { ...called, outcome, reason },
  };
}

/** A question of a run's hook counts when it is asked. Hooks on runners have tallies, and earlier coordinators did not name the hook. */
function readQuestion(data: Json): ReadHookCalls {
  const { target_name, duration_ms, reason } = data;
  if (typeof target_name !== "string") return NOTHING;
  const called = readCalledHook(data);
  const took = typeof duration_ms === "number" ? duration_ms : undefined;
  return {
    calls: [oneCall(called, "asked", took)],
    reason: { ...called, outcome: "asked", reason: String(reason) },
  };
}

/**
 * A hook of the run that the coordinator called. Without a duration it has asked a person, who has decided now; such a call was counted
 * when it asked, but for those of earlier coordinators.
 */
function readRunHook(type: "hook_complete" | "hook_blocked" | "hook_failed", data: Json): ReadHookCalls {
  const { duration_ms, action, changed, block_reason, error, not_enforced, reason, tallied } = data;
  if (tallied === true) return NOTHING;
  const called = readCalledHook(data);
  const took = typeof duration_ms === "number" ? duration_ms : undefined;
  const calls = (outcome: string) => [oneCall(called, outcome, took)];
  if (type === "hook_failed")
    return { calls: calls("failed"), reason: { ...called, outcome: "failed", reason: String(error) } };
  if (type === "hook_blocked") {
    const outcome = took === undefined ? "asked" : "blocked";
    // `hook_complete` has counted the refusal of the hook itself.
    const counted = took === undefined ? calls("asked") : [];
    return { calls: counted, reason: { ...called, outcome, reason: String(block_reason) } };
  }
  if (typeof not_enforced === "string") {
    const why = typeof reason === "string" ? reason : "";
    return { calls: calls(not_enforced), reason: { ...called, outcome: not_enforced, reason: why } };
  }
  if (took === undefined) return { calls: calls("asked") };
  return { calls: calls(action === "block" ? "blocked" : changed ? "changed" : "passed") };
}

function readCalledHook({ hook_name, hook_type, target_name }: Json): CalledHook {
  const named = typeof hook_name === "string";
  return {
    hook: String((named ? hook_name : target_name) ?? ""),
    kind: named ? "named" : "inline",
    event: String(hook_type),
  };
}

function oneCall(called: CalledHook, outcome: string, tookMs?: number): HookCalls {
  const durations = tookMs === undefined ? [] : countInBucket(tookMs);
  return { ...called, outcome, count: 1, duration_ms: tookMs ?? 0, durations };
}

/** The counts by bucket of one duration. */
export function countInBucket(durationMs: number): readonly number[] {
  const bucket = Math.min(findBucket(Math.max(0, durationMs)), BUCKET_COUNT - 1);
  return Array.from({ length: bucket + 1 }, (_, index) => (index === bucket ? 1 : 0));
}
