import { expect, test } from "vitest";
import { rowShift } from "./row-shift.ts";

const rows = (text: string) => [...text].map((run_id) => ({ run_id }));

test.each([
  ["rows added above move it down", "cdef", "abcdef", 1, 2],
  ["rows removed above move it up", "abcdef", "bcdef", 3, -1],
  ["rows added below do not move it", "abc", "abcdef", 1, 0],
  ["removing the first visible row does not move it", "abcdef", "abdef", 2, 0],
  ["rows added and removed are both counted", "bcdef", "aabdef", 1, 2],
  ["another list does not move it", "abc", "xyz", 1, 0],
])("%s", (_, before, after, first, shift) => {
  expect(rowShift(rows(before), rows(after), first)).toBe(shift);
});
