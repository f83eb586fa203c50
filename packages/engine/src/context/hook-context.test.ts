import { inspect } from "node:util";
import { expect, test } from "vitest";
import { createHooks } from "../index.ts";

test.each([
  ["at once", () => undefined],
  ["later", async () => undefined],
])(
  "the signal that a hook has read follows the host's while its dispatch runs, and not after that; it returns %s",
  async (_when, answer) => {
    for (const isDuring of [true, false]) {
      const hooks = createHooks();
      const host = new AbortController();
      const signals: AbortSignal[] = [];
      hooks.on("before_tool", ({ signal }) => {
        signals.push(signal);
        return answer();
      });
      hooks.on("before_tool", () => (isDuring ? host.abort("enough") : undefined));
      await hooks.dispatch("before_tool", { toolName: "Shell", toolInput: {} }, { signal: host.signal });
      host.abort("late");
      expect(signals.map(({ aborted }) => aborted)).toEqual([isDuring]);
    }
  },
);

test("a context prints its event and payload, and nothing that the run shares", async () => {
  const printed: string[] = [];
  const hooks = createHooks();
  hooks.on("before_tool", (context) => {
    context.metadata.secret = "of another hook";
    printed.push(inspect(context), JSON.stringify(context), Object.keys(context).join());
  });
  await hooks.dispatch("before_tool", { toolName: "Shell", toolInput: { command: "ls" } });
  expect(printed).toEqual([
    "BeforeToolContext {\n  event: 'before_tool',\n  payload: { toolName: 'Shell', toolInput: { command: 'ls' } }\n}",
    '{"event":"before_tool","toolName":"Shell","toolInput":{"command":"ls"}}',
    "event",
  ]);
});

test("a signal that is first read after the dispatch does not listen to the host", async () => {
  const hooks = createHooks();
  let listeners = 0;
  const host = {
    aborted: false,
    reason: undefined,
    onAbort: () => {
      listeners++;
      return () => listeners--;
    },
  };
  const contexts: { readonly signal: AbortSignal; onAbort(listener: () => void): unknown }[] = [];
  hooks.on("before_tool", (context) => void contexts.push(context));
  await hooks.dispatch("before_tool", { toolName: "Shell", toolInput: {} }, { signal: host });
  for (const context of contexts) {
    expect(context.signal.aborted).toBe(false);
    context.onAbort(() => undefined);
  }
  expect([contexts.length, listeners]).toEqual([1, 0]);
});
