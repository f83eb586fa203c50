import { EVENT_NAMES } from "@tenterhook/protocol";
import { describe, expect, test } from "vitest";
import { DISPATCH_CASES } from "./dispatch-cases.ts";
import { UNREADABLE_CASES } from "./effect-cases.ts";
import { CONTRACT, EVENT_CASES } from "./event-rows.ts";
import { runCase, STYLES } from "./run-case.ts";

test("the contract has a row for every event", () => {
  expect(CONTRACT.map((row) => row.event)).toEqual(EVENT_NAMES);
});

describe.each(Object.entries(STYLES))("%s", (_, style) => {
  test.each([...EVENT_CASES, ...DISPATCH_CASES, ...UNREADABLE_CASES].map((row) => [row.name, row] as const))(
    "%s",
    async (_name, row) => expect(await runCase(row, style)).toEqual([]),
  );
});
