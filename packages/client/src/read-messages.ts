import { createParser, type EventSourceMessage } from "eventsource-parser";
import { type ReadOptions, readChunks } from "./read-chunks.ts";

/** A message that ends with its id, and so has no data. */
const ONLY_ID = /^(id:.*\n)(?=\n)/gm;

/**
 * The messages of a stream of server-sent events, as they come, until the signal fires. One without data has an id: the
 * cursor to continue after.
 */
export async function* readMessages(
  response: Response,
  options: ReadOptions = {},
): AsyncGenerator<EventSourceMessage> {
  let messages: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => messages.push(message) });
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of readChunks(response, options)) {
    // Line ends may differ, and may be split between chunks.
    rest = `${rest}${decoder.decode(chunk, { stream: true })}`.replaceAll(/\r\n|\r(?!$)/g, "\n");
    const end = rest.lastIndexOf("\n\n") + 2;
    if (end < 2) continue;
    // The parser drops messages without data, by which the coordinator moves the cursor.
    parser.feed(rest.slice(0, end).replaceAll(ONLY_ID, "$1data:\n"));
    rest = rest.slice(end);
    const ready = messages;
    messages = [];
    yield* ready;
  }
}
