import { expect, test } from "vitest";
import { agoText, durationText } from "./durations.ts";

test.each([
  [0, "0 ms"],
  [999.4, "999 ms"],
  [1_000, "1.0 s"],
  [59_940, "59.9 s"],
  [59_960, "1 min"],
  [320_000, "5 min 20 s"],
  [7_500_000, "2 h 5 min"],
  [86_400_000 * 3, "3 days"],
  [-5, "0 ms"],
])("%d ms is written %s", (ms, text) => expect(durationText(ms)).toBe(text));

test.each([
  [-1, "just now"],
  [12_999, "12 s ago"],
  [61_000, "1 min ago"],
  [7_200_000, "2 h ago"],
  [86_400_000 * 2, "2 days ago"],
])("%d ms ago is written %s", (ms, text) => expect(agoText(ms)).toBe(text));
