import { expect, test } from "vitest";
import { FileHooksSandbox } from "./file-hooks-sandbox.ts";

/** A guard that would let everything pass, with the default `on_error`, so that only what it cannot be shown is refused. */
const ALLOWS = "cat >/dev/null; exit 0";

function nested(levels: number): Record<string, unknown> {
  let value: unknown = "core";
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value };
  return { command: "rm -rf /", value };
}

const INPUTS: readonly [string, () => Record<string, unknown>, RegExp][] = [
  ["is nested 5,000 levels deep", () => nested(5_000), /deeper than 224 levels/],
  ["is nested a million levels deep", () => nested(1_000_000), /deeper than 224 levels/],
  [
    "becomes 36 MiB when it is escaped",
    () => ({ text: "\u0001".repeat(6 * 1024 * 1024) }),
    /longer than 33554432 bytes/,
  ],
  [
    "contains itself",
    () => {
      const ring: Record<string, unknown> = {};
      ring.self = ring;
      return ring;
    },
    /contains itself/,
  ],
  ["holds what JSON has no word for", () => ({ big: 1n }), /BigInt/],
];

test.each(INPUTS)("a call whose input %s is refused with any on_error", async (_, input, reason) => {
  const sandbox = new FileHooksSandbox();
  sandbox.hook(sandbox.userHooks, "guard", { on_error: "continue" }, ALLOWS);
  const dispatch = await sandbox.hooks().dispatch("before_tool", { toolName: "Shell", toolInput: input() });
  expect(dispatch.action).toBe("refuse");
  expect(dispatch.reason).toMatch(/^the hook "guard" could not be shown the event/);
  expect(dispatch.reason).toMatch(reason);
});

test("a guard with a pattern for the input does not pass over what it cannot read through", async () => {
  const sandbox = new FileHooksSandbox();
  sandbox.hook(sandbox.userHooks, "guard", { matcher: { tool: "Shell", pattern: "never there" } }, ALLOWS);
  const toolInput = nested(5_000);
  expect((await sandbox.hooks().dispatch("before_tool", { toolName: "Shell", toolInput })).action).toBe(
    "refuse",
  );
});

test("a result that an after_tool guard cannot be shown is withheld", async () => {
  const sandbox = new FileHooksSandbox();
  sandbox.hook(sandbox.userHooks, "leaks", { trigger: "after_tool" }, ALLOWS);
  const payload = { toolName: "Fetch", toolInput: {}, toolResult: nested(5_000) };
  const { action, reason } = await sandbox.hooks().dispatch("after_tool", payload);
  expect([action, reason]).toEqual(["refuse", expect.stringContaining("deeper than 224 levels")]);
});

test.each([
  ["at an event where nothing can be refused", { trigger: "session_end" }],
  ["in the background", { trigger: "session_end", async: true }],
])("a hook that watches %s and loses an event is reported", async (_, frontmatter) => {
  const sandbox = new FileHooksSandbox();
  sandbox.hook(sandbox.userHooks, "journal", frontmatter, ALLOWS);
  const hooks = sandbox.hooks();
  const context = { deep: nested(5_000) };
  expect((await hooks.dispatch("session_end", { reason: "done", context } as never)).action).not.toBe(
    "refuse",
  );
  await hooks.close();
  expect(sandbox.reported.join("\n")).toMatch(
    /journal.*could not be shown the event.*deeper than 224 levels/,
  );
});

test("an input as deep and long as the limits allow is shown to the script whole", async () => {
  const sandbox = new FileHooksSandbox();
  const script = `node -e '
    let text = ""; process.stdin.on("data", (chunk) => { text += chunk; }).on("end", () => {
      const { tool_input } = JSON.parse(text);
      console.error(JSON.stringify(tool_input).length + " " + text.split("\\n").length);
      process.exit(2);
    })'`;
  sandbox.hook(sandbox.userHooks, "guard", {}, script);
  const deep = nested(199);
  const wide = { ...nested(190), list: Array.from({ length: 200_000 }, () => 1) };
  for (const [toolInput, lines] of [
    [deep, /^\d{3,4} \d{3}$/],
    [wide, /^\d{6} \d{1,2}$/],
  ] as const) {
    const { reason } = await sandbox.hooks().dispatch("before_tool", { toolName: "Shell", toolInput });
    expect(reason).toMatch(lines);
    expect(reason?.split(" ")[0]).toBe(String(JSON.stringify(toolInput).length));
  }
});
