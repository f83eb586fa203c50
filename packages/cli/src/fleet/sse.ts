/** One message of an event stream. */
export interface Message {
  readonly event: string;
  readonly data: string;
  readonly id: string | undefined;
}

export interface Reading {
  readonly signal?: AbortSignal | undefined;
  /** A stream that is silent for so long is taken for dead, and ends. Without it, it may be silent for ever. */
  readonly silenceMs?: number | undefined;
}

/** The messages of an event stream, as they come, until the signal fires. */
export async function* messagesOf(response: Response, reading: Reading = {}): AsyncGenerator<Message> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of chunksOf(response, reading)) {
    // Whatever ends a line, a message ends with an empty one; a line end may be cut in two.
    rest = `${rest}${decoder.decode(chunk, { stream: true })}`.replaceAll(/\r\n|\r(?!$)/g, "\n");
    const blocks = rest.split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) yield readMessage(block);
  }
}

/**
 * The signal of a `fetch` is not enough for a stream: fetch holds on to it weakly once the answer has begun, and after the
 * next garbage collection a silent body is never ended by it.
 */
async function* chunksOf(response: Response, { signal, silenceMs }: Reading): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader();
  const leave = () => void reader?.cancel().catch(() => undefined);
  signal?.addEventListener("abort", leave, { once: true });
  const silence = silenceMs === undefined ? undefined : setTimeout(leave, silenceMs);
  try {
    if (signal?.aborted) return;
    for (let read = await reader?.read(); read?.value !== undefined; read = await reader?.read()) {
      silence?.refresh();
      yield read.value;
    }
  } finally {
    clearTimeout(silence);
    signal?.removeEventListener("abort", leave);
    leave();
  }
}

function readMessage(block: string): Message {
  const fields = block.split("\n").map((line) => /^(\w*):? ?(.*)$/s.exec(line) ?? []);
  const of = (name: string) => fields.filter(([, field]) => field === name).map(([, , value = ""]) => value);
  return { event: of("event").at(-1) ?? "message", data: of("data").join("\n"), id: of("id").at(-1) };
}
