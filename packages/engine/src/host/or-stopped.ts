import { clearImmediate, setImmediate } from "node:timers";
import { onAbort, orAborted } from "@tenterhook/internal";
import type { HookedRun } from "./hooked-run.ts";

/**
 * Waits for a tool, and rejects when the run is stopped or aborted; the tool continues. To listen to the caller's signal takes longer than
 * a tool that answers at once, because every signal is new to the JavaScript engine. So it begins when the event loop has turned.
 */
export function orStopped<T>(tool: Promise<T>, { cancellation, followsCaller }: HookedRun): Promise<T> {
  if (!followsCaller) return orAborted(tool, cancellation);
  return new Promise((resolve, reject) => {
    const stop = () => reject(cancellation.reason);
    let release: (() => void) | undefined;
    const listening = setImmediate(() => {
      release = onAbort(cancellation, stop);
    });
    const settle = (accept: () => void) => {
      clearImmediate(listening);
      release?.();
      // Aborted before it was listened to.
      if (cancellation.aborted) stop();
      else accept();
    };
    tool.then(
      (value) => settle(() => resolve(value)),
      (error: unknown) => settle(() => reject(error)),
    );
  });
}
