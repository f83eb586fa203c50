import type { Dispatch } from "@tenterhook/engine";
import type { Action, EventName } from "@tenterhook/protocol";

/** Something that a hook did beyond looking on: for the result, the stream and the terminal, so that a person sees it. */
export interface HookAct {
  readonly event: EventName;
  /** Absent when the host itself decided, by a permission for instance. */
  readonly hook: string | undefined;
  /** What it amounted to; `go_on` for a change, for added context and for a failure that decided nothing. */
  readonly action: Action;
  readonly reason?: string;
  /** The fields that it changed. */
  readonly changed?: readonly string[];
  /** The tool call that it is about. */
  readonly toolUseId?: string;
  /** It failed; `reason` says how. */
  readonly failed?: true;
}

/** What the hooks of a dispatch did. Most dispatches have nothing to tell, and pay for nothing here. */
export function actsOf<E extends EventName>(dispatch: Dispatch<E>, asked: unknown): readonly HookAct[] {
  if (dispatch.action === "go_on" && dispatch.payload === asked && dispatch.failures.length === 0) return [];
  const { event, action, reason, hook } = dispatch;
  const { toolUseId } = dispatch.payload as { readonly toolUseId?: string };
  const about = toolUseId === undefined ? {} : { toolUseId };
  const acts = dispatch.trace.entries.flatMap((entry): HookAct[] => {
    const changed = entry.changes?.map(({ field }) => field);
    if (entry.error !== undefined) {
      const told = { event, ...about, hook: entry.hook, action: entry.action };
      return [{ ...told, reason: entry.error.message, failed: true }];
    }
    if (changed === undefined && entry.action === "go_on") return [];
    return [
      {
        event,
        ...about,
        hook: entry.hook,
        action: entry.action,
        ...(entry.reason !== undefined && { reason: entry.reason }),
        ...(changed !== undefined && { changed }),
      },
    ];
  });
  const told = acts.some((act) => act.hook === hook && act.action === action);
  if (action === "go_on" || told) return acts;
  return [...acts, { event, ...about, hook, action, ...(reason !== undefined && { reason }) }];
}
