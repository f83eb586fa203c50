import { TenterhookError } from "@tenterhook/protocol";
import { linkedController } from "@tenterhook/protocol/support";

/**
 * Runs a tool until it is done, times out, or is aborted. A tool that ignores its signal is abandoned then, and its result is
 * dropped.
 */
export async function executeTool(
  name: string,
  execute: (signal: AbortSignal) => unknown,
  { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<unknown> {
  const { controller, release } = linkedController(signal);
  const expire = () => {
    const message = `the tool "${name}" took longer than ${timeoutMs} ms.`;
    controller.abort(new TenterhookError("tool_timeout", message));
  };
  const timer = setTimeout(expire, timeoutMs);
  try {
    const aborted = new Promise<never>((_resolve, reject) => {
      const rejectAborted = () => reject(controller.signal.reason);
      if (controller.signal.aborted) rejectAborted();
      else controller.signal.addEventListener("abort", rejectAborted, { once: true });
    });
    // A rejection after the race must not end the process.
    aborted.catch(() => undefined);
    const done = finalValue(controller.signal, execute);
    done.catch(() => undefined);
    return await Promise.race([done, aborted]);
  } finally {
    clearTimeout(timer);
    release();
  }
}

/** Tools of the AI SDK may yield preliminary results; the last one is the result. */
async function finalValue(signal: AbortSignal, execute: (signal: AbortSignal) => unknown): Promise<unknown> {
  signal.throwIfAborted();
  const value = await execute(signal);
  if (typeof value !== "object" || value === null || !(Symbol.asyncIterator in value)) return value;
  let last: unknown;
  for await (const each of value as AsyncIterable<unknown>) {
    signal.throwIfAborted();
    last = each;
  }
  return last;
}
