import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FrameBatches } from "./frame-batches.ts";

/** The frames that were asked for and not cancelled, by their number. */
const frames = new Map<number, () => void>();
let asked = 0;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.stubGlobal("requestAnimationFrame", (callback: () => void) => {
    asked += 1;
    frames.set(asked, callback);
    return asked;
  });
  vi.stubGlobal("cancelAnimationFrame", (number: number) => frames.delete(number));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  frames.clear();
});

/** Draws the frames that are due, as the browser does: those that are asked for meanwhile come with the next. */
function drawFrame(): void {
  const due = [...frames.values()];
  frames.clear();
  for (const callback of due) callback();
}

function collect() {
  const delivered: (readonly number[])[] = [];
  return { delivered, batches: new FrameBatches<number>((items) => delivered.push(items)) };
}

const numbers = (count: number, first = 1) => Array.from({ length: count }, (_, index) => first + index);

test("a few items wait for the next frame and come together", () => {
  const { delivered, batches } = collect();
  batches.add([1, 2]);
  batches.add([3]);
  expect([delivered, frames.size]).toEqual([[], 1]);
  drawFrame();
  expect(delivered).toEqual([[1, 2, 3]]);
  expect(frames.size).toBe(0);
});

test("a burst is delivered in order, in many small batches, and each item once", () => {
  const { delivered, batches } = collect();
  batches.add(numbers(300));
  while (frames.size > 0) drawFrame();
  expect(delivered.flat()).toEqual(numbers(300));
  expect(Math.max(...delivered.map(({ length }) => length))).toBe(10);
  expect(delivered.length).toBeGreaterThan(30);
});

test("items that arrive during a burst come after it", () => {
  const { delivered, batches } = collect();
  batches.add(numbers(20));
  drawFrame();
  batches.add(numbers(5, 21));
  while (frames.size > 0) drawFrame();
  expect(delivered.flat()).toEqual(numbers(25));
});

test("items that arrive while others are delivered are not lost, and come with a later frame", () => {
  const delivered: number[] = [];
  const batches = new FrameBatches<number>((items) => {
    delivered.push(...items);
    if (items.includes(1)) batches.add([3]);
  });
  batches.add([1, 2]);
  drawFrame();
  expect(delivered).toEqual([1, 2]);
  drawFrame();
  expect(delivered).toEqual([1, 2, 3]);
});

test("a listener that throws does not keep the rest from being delivered", () => {
  const delivered: number[] = [];
  const batches = new FrameBatches<number>((items) => {
    if (items.includes(1)) throw new Error("a broken listener");
    delivered.push(...items);
  });
  batches.add(numbers(12));
  expect(drawFrame).toThrow("a broken listener");
  while (frames.size > 0) drawFrame();
  expect(delivered).toEqual(numbers(6, 7));
});

test("in the background, where no frame is drawn, everything is delivered together after a while", () => {
  const { delivered, batches } = collect();
  batches.add(numbers(300));
  vi.advanceTimersByTime(249);
  expect(delivered).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(delivered).toEqual([numbers(300)]);
  expect([frames.size, vi.getTimerCount()]).toEqual([0, 0]);
});

test("everything is delivered at once when it is asked for, and nothing again by the next frame", () => {
  const { delivered, batches } = collect();
  batches.flush();
  expect(delivered).toEqual([]);
  batches.add(numbers(300));
  batches.flush();
  expect(delivered).toEqual([numbers(300)]);
  drawFrame();
  vi.advanceTimersByTime(1_000);
  expect(delivered).toHaveLength(1);
});

test("nothing is delivered after the end, by a frame or by time", () => {
  const { delivered, batches } = collect();
  batches.add([1]);
  batches.close();
  drawFrame();
  vi.advanceTimersByTime(1_000);
  expect(delivered).toEqual([]);
});

test("more items than a function takes arguments are accepted", () => {
  const { delivered, batches } = collect();
  batches.add(numbers(500_000));
  batches.flush();
  expect(delivered[0]).toHaveLength(500_000);
});
