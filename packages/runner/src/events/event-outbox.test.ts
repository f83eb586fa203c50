import { expect, test } from "vitest";
import { EventOutbox } from "./event-outbox.ts";
import type { DatedEvent, ReportedEvent } from "./reported-event.ts";

/** Receives batches; a test controls when each is answered. */
class Receiver {
  readonly batches: { readonly first: number; readonly events: readonly ReportedEvent[] }[] = [];
  readonly times: number[] = [];
  answer: Promise<void> = Promise.resolve();

  readonly deliver = (first: number, dated: readonly DatedEvent[]): Promise<void> => {
    this.times.push(...dated.map(({ at }) => at));
    this.batches.push({ first, events: dated.map(({ at: _, ...event }) => event) });
    return this.answer;
  };

  get events(): readonly ReportedEvent[] {
    return this.batches.flatMap(({ events }) => events);
  }
}

const step = (number: number): ReportedEvent => ({ type: "step_start", data: { step: number } });
const text = (text: string, number = 1): ReportedEvent => ({ type: "text", data: { step: number, text } });

test("events are sent in order, numbered from 1 across batches", async () => {
  const receiver = new Receiver();
  const outbox = new EventOutbox(receiver.deliver);
  for (let i = 1; i <= 1_200; i++) outbox.add(step(i));
  await outbox.flush();
  outbox.add(step(1_201));
  await outbox.flush();
  expect(receiver.batches.map(({ first, events }) => [first, events.length])).toEqual([
    [1, 500],
    [501, 500],
    [1_001, 200],
    [1_201, 1],
  ]);
  expect(receiver.events).toEqual(Array.from({ length: 1_201 }, (_, i) => step(i + 1)));
});

test("pieces of an answer become one event until something else happens", async () => {
  const receiver = new Receiver();
  const outbox = new EventOutbox(receiver.deliver);
  for (const event of [text("Good "), text("morning"), step(2), text("Bye", 2), text("!", 2), text("?", 3)]) {
    outbox.add(event);
  }
  await outbox.flush();
  expect(receiver.events).toEqual([text("Good morning"), step(2), text("Bye!", 2), text("?", 3)]);
});

test("a long answer is sent in pieces that add up to it, none of which splits a character", async () => {
  const receiver = new Receiver();
  const outbox = new EventOutbox(receiver.deliver);
  const long = `x${"😀".repeat(20_000)}`;
  outbox.add(text(long));
  await outbox.flush();
  const pieces = receiver.events.map(({ data }) => ("text" in data ? data.text : ""));
  expect(pieces.join("")).toBe(long);
  expect(pieces.every((piece) => piece.length <= 16_000 && !/^[\udc00-\udfff]/.test(piece))).toBe(true);
  expect(pieces.length).toBeGreaterThan(2);
});

test("a batch stays below the size of a body", async () => {
  const receiver = new Receiver();
  const outbox = new EventOutbox(receiver.deliver);
  for (let i = 0; i < 100; i++) outbox.add({ type: "log", data: { text: "x".repeat(8_000) } });
  await outbox.flush();
  expect(Math.max(...receiver.batches.map(({ events }) => JSON.stringify(events).length))).toBeLessThan(
    300_000,
  );
  expect(receiver.events).toHaveLength(100);
});

test("events that are added while a batch is being sent wait for it, and one flush sends all of them", async () => {
  const receiver = new Receiver();
  let answer = () => {};
  receiver.answer = new Promise((resolve) => {
    answer = resolve;
  });
  const outbox = new EventOutbox(receiver.deliver);
  outbox.add(step(1));
  const flushed = outbox.flush();
  outbox.add(step(2));
  expect(receiver.batches).toHaveLength(1);
  answer();
  await flushed;
  expect(receiver.batches.map(({ first }) => first)).toEqual([1, 2]);
});

test("events that do not fit while the coordinator is unreachable are counted, and the count is reported", async () => {
  const receiver = new Receiver();
  let answer = () => {};
  receiver.answer = new Promise((resolve) => {
    answer = resolve;
  });
  const outbox = new EventOutbox(receiver.deliver);
  outbox.add(step(0));
  const flushed = outbox.flush();
  for (let i = 1; i <= 5_003; i++) outbox.add(step(i));
  answer();
  await flushed;
  outbox.add(step(6_000));
  await outbox.flush();
  expect(receiver.events.slice(-3)).toEqual([
    step(5_000),
    { type: "events_dropped", data: { count: 3 } },
    step(6_000),
  ]);
});

test("the count of dropped events is reported also when no event follows", async () => {
  const receiver = new Receiver();
  const outbox = new EventOutbox(receiver.deliver);
  for (let i = 1; i <= 5_003; i++) outbox.add(step(i));
  await outbox.flush();
  expect(receiver.events.slice(-2)).toEqual([step(5_000), { type: "events_dropped", data: { count: 3 } }]);
});

test("a refused batch is reported as dropped, and its numbers are not used again", async () => {
  const receiver = new Receiver();
  receiver.answer = Promise.reject(new Error("refused"));
  const outbox = new EventOutbox(receiver.deliver);
  outbox.add(step(1));
  outbox.add(step(2));
  await outbox.flush();
  receiver.answer = Promise.resolve();
  outbox.add(step(3));
  await outbox.flush();
  expect(receiver.batches[1]).toEqual({
    first: 3,
    events: [{ type: "events_dropped", data: { count: 2 } }, step(3)],
  });
});

test("a closed outbox accepts and sends no events", async () => {
  const receiver = new Receiver();
  const outbox = new EventOutbox(receiver.deliver);
  outbox.add(step(1));
  outbox.close();
  outbox.add(step(2));
  await outbox.flush();
  expect(receiver.batches).toEqual([]);
});

test("an event has the time at which it happened, not the one at which it was sent; joined pieces that of the first", async () => {
  const receiver = new Receiver();
  const outbox = new EventOutbox(receiver.deliver);
  const before = performance.now();
  outbox.add(text("a"));
  const after = performance.now();
  while (performance.now() < after + 5);
  outbox.add(text("b"));
  outbox.add(step(2));
  await outbox.flush();
  const [textAt = 0, stepAt = 0] = receiver.times;
  expect(textAt).toBeGreaterThanOrEqual(before);
  expect(textAt).toBeLessThanOrEqual(after);
  expect(stepAt).toBeGreaterThanOrEqual(after + 5);
});

test("an event that cannot be serialised is counted, and does not hold back others", async () => {
  const receiver = new Receiver();
  const outbox = new EventOutbox(receiver.deliver);
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level++) deep = [deep];
  outbox.add({ ...step(1), type: "tool_end", data: { deep } as never });
  outbox.add(step(1));
  await outbox.flush();
  expect(receiver.events).toEqual([{ type: "events_dropped", data: { count: 1 } }, step(1)]);
});
