import { onAbort } from "@tenterhook/internal";
import { RequestError } from "./request-error.ts";

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

/** The size of a response, in megabytes, above which it is not one of a coordinator. */
const MAX_RESPONSE_MB = 64;

/** A body as text: what has come, when the signal fires. Rejects with `bad_response` when it is too large. */
export async function readText(response: Response, signal: AbortSignal): Promise<string> {
  // Browsers end a body with the signal of its `fetch`, and their tools show only bodies that are read as a whole.
  if (!("process" in globalThis)) return response.text();
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of readChunks(response, { signal })) {
    size += chunk.byteLength;
    if (size > MAX_RESPONSE_MB * 1_000_000) throw tooLarge("a response", MAX_RESPONSE_MB, response);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** The error of a response that is larger than any of a coordinator. */
export function tooLarge(what: string, megabytes: number, { status }: Response): RequestError {
  const message = `${what} is larger than ${megabytes} MB, so it did not come from a coordinator`;
  return new RequestError("bad_response", message, { status });
}
