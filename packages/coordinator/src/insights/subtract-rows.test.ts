import { describe, expect, test } from "vitest";
import { subtractRows } from "./subtract-rows.ts";

const row = (period: 0 | 1, tool: string, count: number, ms: number, durations: readonly number[]) => ({
  ...{ period, tool, outcome: "passed", count, ms, durations },
});

describe("rows of slots that are subtracted", () => {
  test("reduce the sums of the row about the same", () => {
    const rows = [row(0, "bash", 7, 30, [4, 3]), row(0, "read", 1, 2, [1, 0]), row(1, "bash", 2, 10, [2, 0])];
    expect(subtractRows(rows, ["tool", "outcome"])).toEqual([
      row(0, "bash", 5, 20, [2, 3]),
      row(0, "read", 1, 2, [1, 0]),
    ]);
  });

  test("leave no row of what happened in them alone, whatever rounding leaves", () => {
    const rows = [row(0, "bash", 2, 0.1 + 0.2, [2, 0]), row(1, "bash", 2, 0.3, [2, 0])];
    expect(subtractRows(rows, ["tool", "outcome"])).toEqual([]);
  });

  test("leave a row of a call that was counted before and has ended since", () => {
    const rows = [row(0, "ask", 1, 0.4, [0, 1]), row(1, "ask", 1, 0, [0, 0])];
    expect(subtractRows(rows, ["tool", "outcome"])).toEqual([row(0, "ask", 0, 0.4, [0, 1])]);
  });
});
