import { expect, test } from "vitest";
import { isFinal, isInitial, isLeased, mayFollow, RUN_STATES, sqlState } from "./run-state.ts";

test("every state but the final ones leads to an end, and a final one leads nowhere", () => {
  for (const state of RUN_STATES) {
    const reached = new Set([state]);
    for (const from of reached) for (const to of RUN_STATES) if (mayFollow(from, to)) reached.add(to);
    const ends = [...reached].filter(isFinal);
    expect(ends, state).toEqual(isFinal(state) ? [state] : expect.arrayContaining(["failed", "stopped"]));
    if (isFinal(state)) expect([...reached]).toEqual([state]);
  }
});

test("a run ends only once, and is prepared before it is claimed", () => {
  expect(mayFollow("completed", "failed")).toBe(false);
  expect(mayFollow("preparing", "claimed")).toBe(false);
  expect(mayFollow("preparing", "ready")).toBe(true);
  expect(RUN_STATES.filter(isInitial)).toEqual(["pending", "claimed"]);
});

test("conditions of SQL are those of the table", () => {
  expect(RUN_STATES.filter(isLeased)).toEqual(["claimed", "running", "stopping"]);
  expect(sqlState.leased).toBe("IN ('claimed', 'running', 'stopping')");
  expect(sqlState.started).toBe("IN ('running', 'stopping')");
  expect(sqlState.final).toBe("IN ('completed', 'failed', 'stopped')");
  // The partial indexes of the schema are for these states.
  expect(sqlState.before("claimed")).toBe("IN ('pending', 'ready')");
});
