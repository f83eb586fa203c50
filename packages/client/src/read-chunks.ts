import { onAbort } from "@tenterhook/internal";

/** When reading a stream ends. */
export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** A stream that is silent for this long ends. Default: no limit. */
  readonly silenceMs?: number | undefined;
}

/**
 * The chunks of a body, as they come, until the signal fires. The signal of a `fetch` is not enough: Node references it weakly after
 * the response headers, and after the next garbage collection it no longer ends a silent body.
 */
export async function* readChunks(
  response: Response,
  { signal, silenceMs }: ReadOptions,
): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader();
  const cancel = () => void reader?.cancel().catch(() => undefined);
  const release = onAbort(signal, cancel);
  let silence: ReturnType<typeof setTimeout> | undefined;
  try {
    while (!signal?.aborted) {
      clearTimeout(silence);
      if (silenceMs !== undefined) silence = setTimeout(cancel, silenceMs);
      const read = await reader?.read();
      if (read?.value === undefined) return;
      yield read.value;
    }
  } finally {
    clearTimeout(silence);
    release();
    cancel();
  }
}

/** A body as text: what has come, when the signal fires. */
export async function readText(response: Response, signal: AbortSignal): Promise<string> {
  // Browsers end a body with the signal of its `fetch`, and their tools show only bodies that are read as a whole.
  if (!("process" in globalThis)) return response.text();
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of readChunks(response, { signal })) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}
