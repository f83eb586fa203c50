import { createHooks, type Hooks, proceed, recover, stop } from "@tenterhook/engine";
import { expect, test } from "vitest";
import { claudeHooks } from "./claude-hooks.ts";
import { CallbackClient } from "./testing/callback-client.ts";

function setUp(register: (hooks: Hooks) => void) {
  const hooks = createHooks();
  register(hooks);
  const warnings: string[] = [];
  const options = claudeHooks(hooks, {}, { warn: (message) => void warnings.push(message) });
  // What is reported when the hooks are installed is tested for all events.
  warnings.length = 0;
  return { client: new CallbackClient(options), warnings };
}

const FAILURE = { last_assistant_message: "overloaded" };

test.each([
  ["recover", "recover", () => recover("Try later.")],
  ["patch", "changed error", () => proceed({ error: new Error("try at night") })],
] as const)(
  "a hook that answers an error of the model with %s is reported by its name",
  async (_, effect, answer) => {
    const { client, warnings } = setUp((hooks) => void hooks.on("on_error", answer, { name: "helper" }));
    expect(await client.call("StopFailure", FAILURE)).toEqual({});
    expect(warnings).toEqual([
      `hook "helper" on on_error: it answered with ${effect}, which the Claude Agent SDK cannot carry out.`,
    ]);
  },
);

test("a hook that stops the run at an error of the model ends the query", async () => {
  const { client, warnings } = setUp((hooks) => void hooks.on("on_error", () => stop("enough")));
  expect(await client.call("StopFailure", FAILURE)).toMatchObject({ continue: false });
  expect(warnings).toEqual([]);
});

test("a hook that adds instructions to a compaction is reported by its name", async () => {
  const { client, warnings } = setUp((hooks) => {
    hooks.on("pre_compact", () => proceed(undefined, { context: "Keep the numbers." }), { name: "keeper" });
  });
  expect(await client.call("PreCompact", { trigger: "auto" })).toEqual({});
  expect(warnings).toEqual([
    'hook "keeper" on pre_compact: it answered with context, which the Claude Agent SDK cannot carry out.',
  ]);
});
