import type { Dispatch, EventName, Hooks, TraceEntry } from "@tenterhook/engine";
import { onAbort } from "@tenterhook/internal";
import type { DescribedEvent } from "./described-event.ts";

/** A dispatch that has ended, including background hooks. */
export interface FullDispatch {
  readonly dispatch: Dispatch<EventName>;
  /** The trace, with the final entries of background hooks. */
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
  // This also makes the engine measure the time of each hook.
  const unregister = hooks.instrument(({ id, mode }) => ({
    run: (work) => work(),
    end: (entry) => {
      if (mode === "background") ended.set(id, entry);
    },
  }));
  const release = onAbort(signal, () => hooks.cancel(signal.reason));
  try {
    const dispatch = await hooks.dispatch(event, payload, { signal });
    await hooks.drain();
    const entries = dispatch.trace.entries.map((entry) => ended.get(entry.hookId) ?? entry);
    return { dispatch, entries, isInterrupted: signal.aborted };
  } finally {
    release();
    unregister();
  }
}
