import type { Dispatch, EventName, Hooks, TraceEntry } from "@tenterhook/engine";
import type { DescribedEvent } from "./described-event.ts";

/** A dispatch that is over, background hooks included. */
export interface FullDispatch {
  readonly dispatch: Dispatch<EventName>;
  /** What each hook did; background hooks with how they ended. */
  readonly entries: readonly Readonly<TraceEntry>[];
  readonly isInterrupted: boolean;
}

/** Fires an event and waits until every hook has ended, each within its own timeout. */
export async function dispatchFully(
  hooks: Hooks,
  { event, payload }: DescribedEvent,
  signal: AbortSignal,
): Promise<FullDispatch> {
  const ended = new Map<string, TraceEntry>();
  // Also makes the engine take each hook's time.
  const undo = hooks.instrument(({ id, mode }) => ({
    run: (work) => work(),
    end: (entry) => {
      if (mode === "background") ended.set(id, entry);
    },
  }));
  const cancel = () => hooks.cancel(signal.reason);
  signal.addEventListener("abort", cancel, { once: true });
  try {
    const dispatch = await hooks.dispatch(event, payload, { signal });
    await hooks.drain();
    const entries = dispatch.trace.entries.map((entry) => ended.get(entry.hookId) ?? entry);
    return { dispatch, entries, isInterrupted: signal.aborted };
  } finally {
    signal.removeEventListener("abort", cancel);
    undo();
  }
}
