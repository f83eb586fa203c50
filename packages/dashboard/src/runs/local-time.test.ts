import { expect, test } from "vitest";
import { fromLocalInput, toLocalInput } from "./local-time.ts";

test("a time survives the conversion to an input value and back", () => {
  const moment = "2026-11-15T10:07:00.000Z";
  expect(toLocalInput(moment)).toMatch(/^2026-11-1\d{1}T\d\d:\d7$/);
  expect(fromLocalInput(toLocalInput(moment))).toBe(moment);
});

test("an empty or incomplete value is no time", () => {
  expect(toLocalInput(undefined)).toBe("");
  expect(fromLocalInput("")).toBeUndefined();
  expect(fromLocalInput("2026-1")).toSatisfy((value) => value === undefined || typeof value === "string");
});
