import { expect, test } from "vitest";
import { EventOutbox } from "./event-outbox.ts";
import type { DatedEvent, ReportedEvent } from "./reported-event.ts";

/** Takes deliveries, each when the test lets it. */
class Desk {
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
const says = (text: string, number = 1): ReportedEvent => ({ type: "text", data: { step: number, text } });

test("events go out in their order, numbered from 1, and numbers go on from batch to batch", async () => {
  const desk = new Desk();
  const outbox = new EventOutbox(desk.deliver);
  for (let i = 1; i <= 1_200; i++) outbox.add(step(i));
  await outbox.flush();
  outbox.add(step(1_201));
  await outbox.flush();
  expect(desk.batches.map(({ first, events }) => [first, events.length])).toEqual([
    [1, 500],
    [501, 500],
    [1_001, 200],
    [1_201, 1],
  ]);
  expect(desk.events).toEqual(Array.from({ length: 1_201 }, (_, i) => step(i + 1)));
});

test("pieces of an answer become one event until something else happens", async () => {
  const desk = new Desk();
  const outbox = new EventOutbox(desk.deliver);
  for (const event of [says("Good "), says("morning"), step(2), says("Bye", 2), says("!", 2), says("?", 3)]) {
    outbox.add(event);
  }
  await outbox.flush();
  expect(desk.events).toEqual([says("Good morning"), step(2), says("Bye!", 2), says("?", 3)]);
});

test("a long answer goes out in pieces that amount to it, none of them through a character", async () => {
  const desk = new Desk();
  const outbox = new EventOutbox(desk.deliver);
  const text = `x${"😀".repeat(20_000)}`;
  outbox.add(says(text));
  await outbox.flush();
  const pieces = desk.events.map(({ data }) => ("text" in data ? data.text : ""));
  expect(pieces.join("")).toBe(text);
  expect(pieces.every((piece) => piece.length <= 16_000 && !/^[\udc00-\udfff]/.test(piece))).toBe(true);
  expect(pieces.length).toBeGreaterThan(2);
});

test("a batch stays below the size of a body", async () => {
  const desk = new Desk();
  const outbox = new EventOutbox(desk.deliver);
  for (let i = 0; i < 100; i++) outbox.add({ type: "log", data: { text: "x".repeat(8_000) } });
  await outbox.flush();
  expect(Math.max(...desk.batches.map(({ events }) => JSON.stringify(events).length))).toBeLessThan(300_000);
  expect(desk.events).toHaveLength(100);
});

test("what comes while a batch is under way waits for it, and one flush sends all of it", async () => {
  const desk = new Desk();
  let answer = () => {};
  desk.answer = new Promise((resolve) => {
    answer = resolve;
  });
  const outbox = new EventOutbox(desk.deliver);
  outbox.add(step(1));
  const flushed = outbox.flush();
  outbox.add(step(2));
  expect(desk.batches).toHaveLength(1);
  answer();
  await flushed;
  expect(desk.batches.map(({ first }) => first)).toEqual([1, 2]);
});

test("events that do not fit while the coordinator is unreachable are counted, and the count is reported", async () => {
  const desk = new Desk();
  let answer = () => {};
  desk.answer = new Promise((resolve) => {
    answer = resolve;
  });
  const outbox = new EventOutbox(desk.deliver);
  outbox.add(step(0));
  const flushed = outbox.flush();
  for (let i = 1; i <= 5_003; i++) outbox.add(step(i));
  answer();
  await flushed;
  outbox.add(step(6_000));
  await outbox.flush();
  expect(desk.events.slice(-3)).toEqual([
    step(5_000),
    { type: "events_dropped", data: { count: 3 } },
    step(6_000),
  ]);
});

test("a refused batch is reported as dropped, and its numbers are not used again", async () => {
  const desk = new Desk();
  desk.answer = Promise.reject(new Error("refused"));
  const outbox = new EventOutbox(desk.deliver);
  outbox.add(step(1));
  outbox.add(step(2));
  await outbox.flush();
  desk.answer = Promise.resolve();
  outbox.add(step(3));
  await outbox.flush();
  expect(desk.batches[1]).toEqual({
    first: 3,
    events: [{ type: "events_dropped", data: { count: 2 } }, step(3)],
  });
});

test("a closed outbox takes and sends nothing more", async () => {
  const desk = new Desk();
  const outbox = new EventOutbox(desk.deliver);
  outbox.add(step(1));
  outbox.close();
  outbox.add(step(2));
  await outbox.flush();
  expect(desk.batches).toEqual([]);
});

test("an event has the time at which it happened, not the one at which it was sent; joined pieces that of the first", async () => {
  const desk = new Desk();
  const outbox = new EventOutbox(desk.deliver);
  const before = performance.now();
  outbox.add(says("a"));
  const after = performance.now();
  while (performance.now() < after + 5);
  outbox.add(says("b"));
  outbox.add(step(2));
  await outbox.flush();
  const [textAt = 0, stepAt = 0] = desk.times;
  expect(textAt).toBeGreaterThanOrEqual(before);
  expect(textAt).toBeLessThanOrEqual(after);
  expect(stepAt).toBeGreaterThanOrEqual(after + 5);
});

test("an event that cannot be written is counted, and keeps back no other", async () => {
  const desk = new Desk();
  const outbox = new EventOutbox(desk.deliver);
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level++) deep = [deep];
  outbox.add({ ...step(1), type: "tool_end", data: { deep } as never });
  outbox.add(step(1));
  await outbox.flush();
  expect(desk.events).toEqual([{ type: "events_dropped", data: { count: 1 } }, step(1)]);
});
