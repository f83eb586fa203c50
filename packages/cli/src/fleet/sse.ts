import { onAbort } from "@tenterhook/internal";

/** One message of an event stream. */
export interface Message {
  readonly event: string;
  readonly data: string;
  readonly id: string | undefined;
}

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** A stream that is silent for this long ends. Default: no limit. */
  readonly silenceMs?: number | undefined;
}

/** The messages of an event stream, as they come, until the signal fires. */
export async function* messagesOf(response: Response, options: ReadOptions = {}): AsyncGenerator<Message> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of chunksOf(response, options)) {
    // A message ends with an empty line; line ends may differ, and may be split between chunks.
    rest = `${rest}${decoder.decode(chunk, { stream: true })}`.replaceAll(/\r\n|\r(?!$)/g, "\n");
    const blocks = rest.split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) yield readMessage(block);
  }
}

/**
 * The signal of a `fetch` is not enough for a stream: fetch references it weakly after the response headers, and after the next
 * garbage collection it no longer ends a silent body.
 */
async function* chunksOf(response: Response, { signal, silenceMs }: ReadOptions): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader();
  const cancel = () => void reader?.cancel().catch(() => undefined);
  const release = onAbort(signal, cancel);
  const silence = silenceMs === undefined ? undefined : setTimeout(cancel, silenceMs);
  try {
    if (signal?.aborted) return;
    for (let read = await reader?.read(); read?.value !== undefined; read = await reader?.read()) {
      silence?.refresh();
      yield read.value;
    }
  } finally {
    clearTimeout(silence);
    release();
    cancel();
  }
}

function readMessage(block: string): Message {
  const fields = block.split("\n").map((line) => /^(\w*):? ?(.*)$/s.exec(line) ?? []);
  const of = (name: string) => fields.filter(([, field]) => field === name).map(([, , value = ""]) => value);
  return { event: of("event").at(-1) ?? "message", data: of("data").join("\n"), id: of("id").at(-1) };
}
