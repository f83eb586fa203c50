import { expect, test } from "vitest";
import { snapshot } from "../answer/snapshot.ts";
import { toolPolicy } from "../built-in/tool-policy.ts";
import { createHooks } from "../hooks.ts";

function nested(levels: number): Record<string, unknown> {
  let value: unknown = "core";
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { value };
  return { value };
}

/** Recurses, as `JSON.stringify` did before Node 26. */
function countLevels(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(...Object.values(value).map(countLevels));
}

const call = () => ({ toolName: "Shell", toolInput: nested(20_000) });

test("a guard in code that runs out of stack over a deep input blocks", async () => {
  const hooks = createHooks();
  hooks.on("before_tool", ({ toolInput }) => void countLevels(toolInput), { name: "guard" });
  const { action, reason } = await hooks.dispatch("before_tool", call());
  expect([action, reason]).toEqual(["refuse", expect.stringContaining("Maximum call stack")]);
});

test("a policy refuses what it cannot read through", async () => {
  const hooks = createHooks();
  toolPolicy(hooks, { deny: ["Shell(rm *)"] });
  const ring: Record<string, unknown> = {};
  ring.self = ring;
  const { action } = await hooks.dispatch("before_tool", { toolName: "Shell", toolInput: ring });
  expect(action).toBe("refuse");
});

test("a background hook is given a frozen copy of a deep input, and the dispatch continues", async () => {
  const hooks = createHooks();
  let given: unknown;
  hooks.on(
    "before_tool",
    ({ toolInput }) => {
      given = toolInput;
    },
    { mode: "background" },
  );
  const payload = call();
  expect((await hooks.dispatch("before_tool", payload)).action).toBe("go_on");
  await hooks.close();
  expect(given === payload.toolInput).toBe(false);
  expect(Object.isFrozen(given)).toBe(true);
});

test("a snapshot is frozen at every depth, keeps what refers to itself, and shares instances", () => {
  const ring: Record<string, unknown> = { list: [1, { two: 2 }], when: new Date(0), map: new Map() };
  ring.self = ring;
  const copy = snapshot(ring) as typeof ring & { self: unknown; list: [number, object] };
  expect(copy.self).toBe(copy);
  expect(copy.list).toEqual([1, { two: 2 }]);
  expect(copy.list).not.toBe(ring.list);
  expect(copy.map).toBe(ring.map);
  expect(copy.when).toEqual(ring.when);
  expect([Object.isFrozen(copy), Object.isFrozen(copy.list), Object.isFrozen(copy.list[1])]).toEqual([
    true,
    true,
    true,
  ]);
});
