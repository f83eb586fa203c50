import { expect, test } from "vitest";
import { findSystemProblem } from "./find-front.ts";

test.each(["win32", "darwin"] as const)(
  "on %s there is no resident process, and a reason why",
  (platform) => {
    expect(findSystemProblem(platform)).toBe(
      "a resident process needs Linux, which shows the callers that are in a sandbox",
    );
  },
);

test("Linux can have a resident process", () => {
  expect(findSystemProblem("linux")).toBeUndefined();
});
