/** One message of an event stream. */
export interface Message {
  readonly event: string;
  readonly data: string;
  readonly id: string | undefined;
}

/** The messages of an event stream, as they come. */
export async function* messagesOf(response: Response): AsyncGenerator<Message> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    // Whatever ends a line, a message ends with an empty one; a line end may be cut in two.
    rest = `${rest}${decoder.decode(chunk, { stream: true })}`.replaceAll(/\r\n|\r(?!$)/g, "\n");
    const blocks = rest.split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) yield readMessage(block);
  }
}

function readMessage(block: string): Message {
  const fields = block.split("\n").map((line) => /^(\w*):? ?(.*)$/s.exec(line) ?? []);
  const of = (name: string) => fields.filter(([, field]) => field === name).map(([, , value = ""]) => value);
  return { event: of("event").at(-1) ?? "message", data: of("data").join("\n"), id: of("id").at(-1) };
}
