import { isRecord, LONGEST_ERROR, shortened } from "@tenterhook/internal";
import { NOT_BY, type NotBy } from "@tenterhook/protocol/internal";
import { RUN_HOOK_CONTRACTS, type RunHookType } from "@tenterhook/protocol/runs";

/** The reply of a hook. */
export type HookReply =
  | { readonly type: "answered"; readonly value: unknown; readonly call?: HttpCall }
  /** It did not answer, or not in time. */
  | { readonly type: "failed"; readonly error: string; readonly timedOut?: boolean; readonly call?: HttpCall }
  /** The envelope does not fit its agent: the run is blocked, whatever `on_error` is. */
  | { readonly type: "unfit"; readonly error: string };

/** A call of a hook's URL that failed and is to be repeated after a pause. */
export interface HookRetry {
  readonly type: "retry";
  readonly afterMs: number;
  readonly error: string;
}

/** How an http hook was called. */
export interface HttpCall {
  /** The status of the last response, if there was one. */
  readonly status: number | undefined;
  readonly attempts: number;
}

/** The meaning of a reply for the run. */
export type HookDecision =
  | { readonly type: "continue"; readonly changes: Readonly<Record<string, unknown>> }
  | { readonly type: "block"; readonly reason: string }
  | { readonly type: "ask"; readonly reason: string; readonly notBy?: NotBy }
  | { readonly type: "failed"; readonly error: string; readonly timedOut: boolean; readonly blocks: boolean };

const OBSERVERS: ReadonlySet<RunHookType> = new Set(["on_run_finish", "on_run_error", "on_timeout"]);

/** Whether a hook only observes, and its answer has no effect. */
export function isObserver(hookType: RunHookType): boolean {
  return OBSERVERS.has(hookType);
}

/** Reads a hook's reply. A hook that only observes can neither change nor block anything. */
export function decide(hookType: RunHookType, onError: "block" | "continue", reply: HookReply): HookDecision {
  const failed = (error: string, timedOut = false, blocks = onError === "block"): HookDecision => ({
    type: "failed",
    error: shortened(error, LONGEST_ERROR),
    timedOut,
    blocks,
  });
  if (reply.type === "failed") return failed(reply.error, reply.timedOut);
  if (reply.type === "unfit") return failed(reply.error, false, true);
  const read = RUN_HOOK_CONTRACTS[hookType].output.safeParse(reply.value);
  if (!read.success) {
    // A malformed refusal is still a refusal; it must not become a failure that lets the run continue.
    const isBlock = isRecord(reply.value) && reply.value.action === "block";
    if (!isObserver(hookType) && isBlock) return { type: "block", reason: "no reason given" };
    // So is a question that excludes a person in a way that is not known: otherwise a misspelt word would let the run continue.
    const excluded = excludedBy(reply.value);
    if (!isObserver(hookType) && excluded !== undefined) return { type: "block", reason: excluded };
    const [issue] = read.error.issues;
    const where = issue === undefined || issue.path.length === 0 ? "" : ` at ${issue.path.join(".")}`;
    return failed(`its reply is not an output of ${hookType}${where}: ${issue?.message ?? "invalid"}`);
  }
  if (isObserver(hookType)) return { type: "continue", changes: {} };
  const output = read.data as { action?: string; block_reason?: string; reason?: string; not_by?: NotBy };
  switch (output.action) {
    case "block":
      return { type: "block", reason: output.block_reason ?? "no reason given" };
    case "ask":
      return {
        type: "ask",
        reason: output.reason ?? "no reason given",
        ...(output.not_by !== undefined && { notBy: output.not_by }),
      };
    default: {
      const { action: _action, ...changes } = output;
      return { type: "continue", changes };
    }
  }
}

/** The reason to refuse a question with a `not_by` that is not known. */
function excludedBy(value: unknown): string | undefined {
  if (!isRecord(value) || value.action !== "ask") return undefined;
  const { not_by, reason } = value;
  if (not_by === undefined || not_by === NOT_BY) return undefined;
  const asked = typeof reason === "string" && reason !== "" ? reason : "no reason given";
  const given = shortened(JSON.stringify(not_by) ?? "", 80);
  return `${asked} (it asked with "not_by": ${given}; only "${NOT_BY}" is known)`;
}
