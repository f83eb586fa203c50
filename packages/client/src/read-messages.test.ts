import type { EventSourceMessage } from "eventsource-parser";
import { expect, test } from "vitest";
import { readMessages } from "./read-messages.ts";

async function read(body: ReadableStream<Uint8Array>): Promise<EventSourceMessage[]> {
  const messages: EventSourceMessage[] = [];
  for await (const message of readMessages(new Response(body))) messages.push(message);
  return messages;
}

const stream = (text: string) => new Blob([text]).stream();

test("a message has its event, its data and its cursor, and a cursor may come without data", async () => {
  const text = 'retry: 1000\nid: 5-1\n\nevent: reset\ndata: {}\n\nid: 5-2\ndata: {"a":\ndata: 1}\n\n';
  expect(await read(stream(text))).toEqual([
    { event: undefined, data: "", id: "5-1" },
    { event: "reset", data: "{}", id: undefined },
    { event: undefined, data: '{"a":\n1}', id: "5-2" },
  ]);
});

test("comments and incomplete messages are ignored, and carriage returns are accepted", async () => {
  expect(await read(stream(":\nid: 1-1\r\n\r\n: nothing\n\ndata: half"))).toEqual([
    { event: undefined, data: "", id: "1-1" },
  ]);
});

test("a message may be split anywhere", async () => {
  const text = 'id: 1-0\r\n\r\nid: 1-1\r\ndata: {"text": "für"}\r\n\r\nid: 1-2\ndata: {}\n\n';
  const bytes = new TextEncoder().encode(text);
  for (let split = 1; split < bytes.length; split++) {
    const parts = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(bytes.slice(0, split));
        controller.enqueue(bytes.slice(split));
        controller.close();
      },
    });
    expect((await read(parts)).map(({ id, data }) => [id, data])).toEqual([
      ["1-0", ""],
      ["1-1", '{"text": "für"}'],
      ["1-2", "{}"],
    ]);
  }
});
