import type { TallyOutcome } from "@tenterhook/protocol/runs";
import type { Json } from "../store/rows.ts";

/** What a hook on a runner did, as it is counted. */
export interface CountedAct {
  /** Of this version's outcomes, or one that only a newer runner knows. */
  readonly outcome: string;
  /** Why; undefined where reasons are not counted. */
  readonly reason: string | undefined;
}

/** What an act amounted to, by its action. */
const ACTED: ReadonlyMap<unknown, TallyOutcome> = new Map([
  ["refuse", "blocked"],
  ["fail", "blocked"],
  ["hold", "kept_running"],
  ["skip", "skipped"],
  ["recover", "recovered"],
  ["stop", "stopped"],
  ["record", "objected_late"],
]);

/** A word as outcomes are: earlier coordinators did not check those of a subagent when they were reported. */
const OUTCOME = /^[a-z_]{1,40}$/;

/** What the data of a `hook_acted` event says; undefined for an action that only a newer runner knows. */
export function readAct({ action, reason, failed, changed, not_enforced }: Json): CountedAct | undefined {
  const why = typeof reason === "string" ? reason : undefined;
  if (failed === true) return { outcome: "failed", reason: why };
  // A hook that is not enforced changes nothing: what it would have changed says why it is listed.
  if (typeof not_enforced === "string") {
    return OUTCOME.test(not_enforced)
      ? { outcome: not_enforced, reason: why ?? describeChanges(changed) }
      : undefined;
  }
  const outcome = ACTED.get(action);
  if (outcome !== undefined) return { outcome, reason: why };
  return changed ? { outcome: "changed", reason: undefined } : undefined;
}

function describeChanges(changed: unknown): string {
  return Array.isArray(changed) ? `changes ${changed.join(", ")}` : "";
}
