import { describe, expect, test } from "vitest";
import { positionOf, readableTicks, ticksOf } from "./time-scale.ts";

describe("a position on the scale", () => {
  const scale = { from: 1_000, to: 2_000 };

  test("is proportional", () => {
    expect(positionOf(scale, { from: 1_250, to: 1_500 })).toEqual({ left: 25, width: 25 });
  });

  test("is cut at the edges, and undefined beyond them", () => {
    expect(positionOf(scale, { from: 0, to: 1_500 })).toEqual({ left: 0, width: 50 });
    expect(positionOf(scale, { from: 1_900, to: 9_000 })).toMatchObject({ left: 90 });
    expect(positionOf(scale, { from: 0, to: 999 })).toBeUndefined();
    expect(positionOf(scale, { from: 2_001, to: 3_000 })).toBeUndefined();
  });

  test("exists also for a scale of zero length", () => {
    expect(positionOf({ from: 5, to: 5 }, { from: 5, to: 5 })).toEqual({ left: 0, width: 0 });
  });
});

test.each([
  [8, ["0", "2 ms", "4 ms", "6 ms", "8 ms"]],
  [1_000, ["0", "200 ms", "400 ms", "600 ms", "800 ms", "1 s"]],
  [4_200, ["0", "1 s", "2 s", "3 s", "4 s"]],
  [90_000, ["0", "15 s", "30 s", "45 s", "1 min", "1 min 15 s", "1 min 30 s"]],
  [600_000, ["0", "2 min", "4 min", "6 min", "8 min", "10 min"]],
  [7_200_000, ["0", "30 min", "1 h", "1 h 30 min", "2 h"]],
])("%d ms have round ticks", (span, texts) => {
  expect(ticksOf({ from: 100, to: 100 + span }, 100).map(({ text }) => text)).toEqual(texts);
});

test("there are at most seven ticks for any span", () => {
  for (let span = 1; span < 1e13; span *= 3.7) {
    expect(ticksOf({ from: 0, to: span }, 0).length).toBeLessThanOrEqual(7);
  }
});

test("ticks of a part of the run are relative to the run's creation", () => {
  expect(ticksOf({ from: 10_500, to: 12_500 }, 0)).toEqual([
    { left: 0, text: "10.5 s" },
    { left: 25, text: "11 s" },
    { left: 50, text: "11.5 s" },
    { left: 75, text: "12 s" },
    { left: 100, text: "12.5 s" },
  ]);
});

test.each([
  [601_755, 602_400, ["10 min 1.8 s", "10 min 2.0 s", "10 min 2.2 s", "10 min 2.4 s"]],
  [
    61_010,
    61_035,
    ["1 min 1.010 s", "1 min 1.015 s", "1 min 1.020 s", "1 min 1.025 s", "1 min 1.030 s", "1 min 1.035 s"],
  ],
  [12_100, 12_160, ["12.10 s", "12.11 s", "12.12 s", "12.13 s", "12.14 s", "12.15 s", "12.16 s"]],
  [
    7_261_000,
    7_263_000,
    ["2 h 1 min 1.0 s", "2 h 1 min 1.5 s", "2 h 1 min 2.0 s", "2 h 1 min 2.5 s", "2 h 1 min 3.0 s"],
  ],
])("the ticks from %d ms to %d ms are told apart", (from, to, texts) => {
  expect(ticksOf({ from, to }, 0).map(({ text }) => text)).toEqual(texts);
});

test("ticks with long texts are fewer", () => {
  expect(readableTicks({ from: 0, to: 1_000 }, 0)).toHaveLength(6);
  expect(readableTicks({ from: 601_755, to: 602_400 }, 0).length).toBeLessThanOrEqual(4);
});
