import { expect, test } from "vitest";
import type { TimelineRow } from "./timeline-row.ts";
import { visibleRows } from "./visible-rows.ts";

const row = (id: string, depth: number) => ({ id, depth }) as TimelineRow;
const rows = [row("a", 0), row("b", 1), row("c", 2), row("d", 1), row("e", 0), row("f", 1)];
const shown = (...folded: string[]) =>
  visibleRows(rows, new Set(folded))
    .map(({ id }) => id)
    .join("");

test("the timeline hides only the children of folded rows", () => {
  expect(shown()).toBe("abcdef");
  expect(shown("b")).toBe("abdef");
  expect(shown("a")).toBe("aef");
  expect(shown("a", "b", "e")).toBe("ae");
  expect(shown("c")).toBe("abcdef");
});
