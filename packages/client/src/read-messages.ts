import { createParser, type EventSourceMessage } from "eventsource-parser";
import { type ReadOptions, readChunks, tooLarge } from "./read-chunks.ts";

/** A message that ends with its id, and so has no data. */
const ONLY_ID = /^(id:.*\n)(?=\n)/gm;

/** The size of a message, in megabytes, above which it is not one of a coordinator. */
const MAX_MESSAGE_MB = 16;

/**
 * The messages of a stream of server-sent events, as they come, until the signal fires. One without data has an id: the
 * cursor to continue after. Rejects with `bad_response` when a message is larger than 16 MB.
 */
export async function* readMessages(
  response: Response,
  options: ReadOptions = {},
): AsyncGenerator<EventSourceMessage> {
  let messages: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => messages.push(message) });
  const decoder = new TextDecoder();
  // The beginning of a message without its last character. Joining or searching it for every chunk would take quadratic time.
  let pieces: string[] = [];
  let last = "";
  let length = 0;
  for await (const chunk of readChunks(response, options)) {
    // Line ends may differ, and may be split between chunks.
    const text = `${last}${decoder.decode(chunk, { stream: true })}`.replaceAll(/\r\n|\r(?!$)/g, "\n");
    const end = text.lastIndexOf("\n\n") + 2;
    const rest = end < 2 ? text : text.slice(end);
    if (end >= 2) {
      // The parser drops messages without data, by which the coordinator moves the cursor.
      parser.feed(`${pieces.join("")}${text.slice(0, end)}`.replaceAll(ONLY_ID, "$1data:\n"));
      pieces = [];
      length = 0;
    }
    pieces.push(rest.slice(0, -1));
    last = rest.slice(-1);
    length += rest.length;
    if (length > MAX_MESSAGE_MB * 1_000_000)
      throw tooLarge("an event of the stream", MAX_MESSAGE_MB, response);
    const ready = messages;
    messages = [];
    yield* ready;
  }
}
