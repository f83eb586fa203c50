import { expect, test } from "vitest";
import { type Message, messagesOf } from "./sse.ts";

async function read(...chunks: readonly string[]): Promise<Message[]> {
  const bytes = chunks.map((chunk) => new TextEncoder().encode(chunk));
  const messages: Message[] = [];
  for await (const message of messagesOf(new Response(new Blob(bytes).stream()))) messages.push(message);
  return messages;
}

test("a message has its event, its data and its cursor", async () => {
  expect(
    await read('retry: 1000\nid: 5-1\n\nevent: reset\ndata: {}\n\nid: 5-2\ndata: {"a":\ndata: 1}\n\n'),
  ).toEqual([
    { event: "message", data: "", id: "5-1" },
    { event: "reset", data: "{}", id: undefined },
    { event: "message", data: '{"a":\n1}', id: "5-2" },
  ]);
});

test("the parser ignores comments and incomplete messages, and accepts carriage returns", async () => {
  expect(await read(":\nid: 1-1\r\n\r\ndata: half")).toEqual([{ event: "message", data: "", id: "1-1" }]);
});

test("a message may be split anywhere", async () => {
  const text = 'id: 1-1\r\ndata: {"text": "für"}\r\n\r\nid: 1-2\ndata: {}\n\n';
  const bytes = new TextEncoder().encode(text);
  for (let at = 1; at < bytes.length; at++) {
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(bytes.slice(0, at));
        controller.enqueue(bytes.slice(at));
        controller.close();
      },
    });
    const messages: Message[] = [];
    for await (const message of messagesOf(new Response(stream))) messages.push(message);
    expect(messages.map(({ id, data }) => [id, data])).toEqual([
      ["1-1", '{"text": "für"}'],
      ["1-2", "{}"],
    ]);
  }
});
