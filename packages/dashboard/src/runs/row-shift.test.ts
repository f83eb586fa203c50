import { expect, test } from "vitest";
import { rowShift } from "./row-shift.ts";

const rows = (text: string) => [...text].map((run_id) => ({ run_id }));

test.each([
  ["rows that came above push it down", "cdef", "abcdef", 1, 2],
  ["rows that went above pull it up", "abcdef", "bcdef", 3, -1],
  ["rows that came below do nothing", "abc", "abcdef", 1, 0],
  ["a row in place of the first one seen does nothing", "abcdef", "abdef", 2, 0],
  ["both at once are both counted", "bcdef", "aabdef", 1, 2],
  ["another list altogether is not followed", "abc", "xyz", 1, 0],
])("%s", (_, before, after, first, shift) => {
  expect(rowShift(rows(before), rows(after), first)).toBe(shift);
});
