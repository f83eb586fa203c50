import { createHooks } from "@tenterhook/engine";
import { expect, test } from "vitest";
import type { Case } from "./case.ts";
import { differences } from "./differences.ts";
import { PAYLOADS } from "./payloads.ts";

const ROW: Case = { name: "a row", event: "before_tool", hooks: [], expect: {} };

async function compare(expected: Case["expect"]): Promise<readonly string[]> {
  const hooks = createHooks({ report: () => undefined });
  hooks.on("before_tool", () => ({ type: "block", reason: "too dangerous" }), { name: "guard" });
  const dispatch = await hooks.dispatch("before_tool", PAYLOADS.before_tool);
  return differences({ ...ROW, expect: expected }, dispatch, ["guard"], []);
}

test("a dispatch as it is expected has no differences", async () => {
  const { toolName } = PAYLOADS.before_tool;
  const expected = { outcome: "block", action: "refuse", reason: "dangerous", called: ["guard"] } as const;
  expect(
    await compare({ ...expected, observed: [], context: [], failed: {}, payload: { toolName } }),
  ).toEqual([]);
});

test.each([
  ["outcome", { outcome: "proceed" }],
  ["action", { action: "continue" }],
  ["reason", { reason: "harmless" }],
  ["result", { result: 1 }],
  ["context", { context: ["more"] }],
  ["payload", { payload: { toolName: "Another" } }],
  ["called", { called: [] }],
  ["called", { called: ["guard", "guard"] }],
  ["observed", { observed: ["observer"] }],
  ["failed", { failed: { guard: "hook_threw" } }],
] as const)("another %s is a difference", async (what, expected) => {
  const found = await compare(expected as Case["expect"]);
  expect(found).toHaveLength(1);
  expect(found[0]).toMatch(new RegExp(`^${what} is .* instead of `, "s"));
});
