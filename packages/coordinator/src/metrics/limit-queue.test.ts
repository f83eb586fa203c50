import { expect, test } from "vitest";
import type { HookQueue } from "../lists/hook-queue.ts";
import { limitQueue } from "./limit-queue.ts";

const waiting = (name: string, count: number, oldest_seconds = 1): HookQueue => ({
  ...{ kind: "awaited", hook_type: "on_run_start", name, count, oldest_seconds },
});

test("a queue of few hooks is reported as it is", () => {
  const queue = [waiting("a", 1), waiting("b", 2)];
  expect(limitQueue(queue, 2)).toEqual(queue);
});

test("of 10,000 hooks the longest queues have names, and the others are added up", () => {
  const queue = Array.from({ length: 10_000 }, (_, index) => waiting(`hook-${index}`, 1, index));
  const limited = limitQueue([...queue, waiting("busy", 7), { ...waiting("late", 1), kind: "agent" }], 50);
  expect(limited).toHaveLength(52);
  expect(limited[0]).toEqual(waiting("busy", 7));
  expect(limited.filter(({ name }) => name === "(other)")).toEqual([
    waiting("(other)", 10_000 - 49, 9_999),
    { ...waiting("(other)", 1), kind: "agent" },
  ]);
});
