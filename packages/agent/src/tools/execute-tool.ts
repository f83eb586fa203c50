import { linkedController, orAborted } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";

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
    return await orAborted(finalValue(controller.signal, execute), controller.signal);
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
