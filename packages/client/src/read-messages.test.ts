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

/** A stream of many small chunks. */
function chunks(count: number, chunk: string, end = ""): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(chunk);
  let left = count;
  return new ReadableStream({
    pull(controller) {
      if (left-- > 0) return controller.enqueue(bytes);
      controller.enqueue(new TextEncoder().encode(end));
      controller.close();
    },
  });
}

test("a long message in small chunks is read in linear time", async () => {
  const { user, system } = process.cpuUsage();
  const body = chunks(15_000, `${"x".repeat(500)} ${"y".repeat(499)}`, "\n\n");
  const [message] = await read(new Blob(["data: "]).stream().pipeThrough(followedBy(body)));
  expect(message?.data).toHaveLength(15_000_000);
  const used = process.cpuUsage({ user, system });
  // It would take minutes if the time grew with the square of the length.
  expect((used.user + used.system) / 1_000).toBeLessThan(10_000);
});

function followedBy(body: ReadableStream<Uint8Array>): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({
    async flush(controller) {
      for await (const chunk of body) controller.enqueue(chunk);
    },
  });
}

test.each(["x", "data: x\n", ":\n"])("a message of %j without end is refused after 16 MB", async (part) => {
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent++;
      controller.enqueue(new TextEncoder().encode(part.repeat(1_000_000 / part.length)));
    },
  });
  await expect(read(body)).rejects.toMatchObject({
    code: "bad_response",
    isTransient: false,
    message: expect.stringContaining("larger than 16 MB"),
  });
  expect(sent).toBeLessThan(20);
});

test("many small messages of more than 16 MB in all are read", async () => {
  expect(
    await read(chunks(20, `${"id: 1\n\n".repeat(1_000)}data: ${"x".repeat(1_000_000)}\n\n`)),
  ).toHaveLength(20_020);
});
