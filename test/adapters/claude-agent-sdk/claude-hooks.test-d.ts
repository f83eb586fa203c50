import { type Options, type Query, query } from "@anthropic-ai/claude-agent-sdk";
import { claudeHooks, withHooks } from "@tenterhook/adapters/claude-agent-sdk";
import { createHooks } from "@tenterhook/engine";
import { expectTypeOf, test } from "vitest";

const hooks = createHooks();

test("options with hooks are options of the SDK, with the type that they had", () => {
  expectTypeOf(claudeHooks(hooks)).toExtend<Options>();
  const options: Options = { permissionMode: "acceptEdits" };
  expectTypeOf(claudeHooks(hooks, options)).toEqualTypeOf<Options>();
  expectTypeOf(claudeHooks({ hooks }, { model: "m" }).model).toEqualTypeOf<string>();
  query({
    prompt: "",
    options: claudeHooks(hooks, { permissionMode: "acceptEdits", allowedTools: ["Bash"] }),
  });
  query({
    prompt: "",
    options: claudeHooks(hooks, {
      canUseTool: async (_name, input) => ({ behavior: "allow", updatedInput: input }),
      hooks: { PreToolUse: [{ hooks: [async () => ({ continue: true })] }] },
    }),
  });
  // @ts-expect-error: there is no such option of the adapter.
  claudeHooks(hooks, {}, { colour: "red" });
});

test("a query with hooks is a query of the SDK", () => {
  expectTypeOf(withHooks(query, hooks)).toEqualTypeOf<typeof query>();
  expectTypeOf(withHooks(query, hooks)({ prompt: "" })).toEqualTypeOf<Query>();
});
