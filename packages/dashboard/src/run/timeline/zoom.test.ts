import { expect, test } from "vitest";
import { moved, selected, zoomed } from "./zoom.ts";

const limits = { from: 0, to: 1_000 };

test("a time keeps its position when the scale is zoomed around it", () => {
  expect(zoomed(limits, 0.5, 500, limits)).toEqual({ from: 250, to: 750 });
  expect(zoomed(limits, 0.5, 0, limits)).toEqual({ from: 0, to: 500 });
  expect(zoomed({ from: 200, to: 400 }, 2, 300, limits)).toEqual({ from: 100, to: 500 });
});

test("a scale never shows more than the limits, nor less than a millisecond", () => {
  expect(zoomed({ from: 800, to: 1_000 }, 100, 900, limits)).toEqual(limits);
  expect(zoomed({ from: 800, to: 1_000 }, 2, 1_000, limits)).toEqual({ from: 600, to: 1_000 });
  let scale: { from: number; to: number } = limits;
  for (let count = 0; count < 50; count++) scale = zoomed(scale, 0.5, 500, limits);
  expect(scale.to - scale.from).toBe(1);
});

test("a scale is moved up to the limits", () => {
  expect(moved({ from: 100, to: 200 }, 0.5, limits)).toEqual({ from: 150, to: 250 });
  expect(moved({ from: 900, to: 1_000 }, 0.5, limits)).toEqual({ from: 900, to: 1_000 });
  expect(moved({ from: 50, to: 150 }, -1, limits)).toEqual({ from: 0, to: 100 });
});

test("a selection is a scale, in whichever direction it was drawn", () => {
  expect(selected({ from: 100, to: 200 }, 0.2, 0.6)).toEqual({ from: 120, to: 160 });
  expect(selected({ from: 100, to: 200 }, 0.6, 0.2)).toEqual({ from: 120, to: 160 });
  expect(selected({ from: 100, to: 200 }, -1, 2)).toEqual({ from: 100, to: 200 });
});
