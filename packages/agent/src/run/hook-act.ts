import type { Dispatch } from "@tenterhook/engine";
import type { Action, EventName, WouldHave } from "@tenterhook/protocol";

/** An effect of a hook, for the result, the stream and the terminal. */
export interface HookAct {
  readonly event: EventName;
  /** Absent when the host itself decided, for example by a permission. */
  readonly hook: string | undefined;
  /** `go_on` for a change, for added context and for a failure that decided nothing. */
  readonly action: Action;
  readonly reason?: string;
  /** The fields that it changed. */
  readonly changed?: readonly string[];
  /** The tool call of the event. */
  readonly toolUseId?: string;
  /** It failed; `reason` has the error. */
  readonly failed?: true;
  /** The hook is not enforced, and this is what it would have done; `changed` are the fields that it would have changed. */
  readonly notEnforced?: WouldHave;
}

/** The effects of the hooks of a dispatch. Most dispatches have none, and this is cheap for them. */
export function actsOf<E extends EventName>(dispatch: Dispatch<E>, original: unknown): readonly HookAct[] {
  const isQuiet = dispatch.failures.length === 0 && dispatch.notEnforced.length === 0;
  if (isQuiet && dispatch.action === "go_on" && dispatch.payload === original) return [];
  const { event, action, reason, hook } = dispatch;
  const { toolUseId } = dispatch.payload as { readonly toolUseId?: string };
  const callId = toolUseId === undefined ? {} : { toolUseId };
  const acts = dispatch.trace.entries.flatMap((entry): HookAct[] => {
    const changed = entry.changes?.map(({ field }) => field);
    if (entry.error !== undefined) {
      const { hook: name, action: taken, error: failure } = entry;
      return [{ event, ...callId, hook: name, action: taken, reason: failure.message, failed: true }];
    }
    const notEnforced = dispatch.notEnforced.includes(entry) ? (entry.verdict as WouldHave) : undefined;
    if (changed === undefined && notEnforced === undefined && entry.action === "go_on") return [];
    return [
      {
        event,
        ...callId,
        hook: entry.hook,
        action: entry.action,
        ...(entry.reason !== undefined && { reason: entry.reason }),
        ...(changed !== undefined && { changed }),
        ...(notEnforced !== undefined && { notEnforced }),
      },
    ];
  });
  const isListed = acts.some((act) => act.hook === hook && act.action === action);
  if (action === "go_on" || isListed) return acts;
  return [...acts, { event, ...callId, hook, action, ...(reason !== undefined && { reason }) }];
}
