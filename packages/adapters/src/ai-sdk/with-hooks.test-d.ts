// Also checked with version 7: scripts/test-adapters.mjs copies it there.
import { hooksMiddleware, hookTools, withHooks } from "@tenterhook/adapters/ai-sdk";
import { createHooks } from "@tenterhook/engine";
import {
  generateText,
  jsonSchema,
  type LanguageModel,
  type LanguageModelMiddleware,
  Output,
  streamText,
  ToolLoopAgent,
  type ToolLoopAgentSettings,
  tool,
  type wrapLanguageModel,
} from "ai";
import { expectTypeOf, test } from "vitest";

const hooks = createHooks();
declare const model: LanguageModel;
const shell = tool({
  inputSchema: jsonSchema<{ command: string }>({ type: "object" }),
  execute: async ({ command }) => ({ lines: command.split("\n") }),
});
const output = Output.object({ schema: jsonSchema<{ city: string }>({ type: "object" }) });
const settings = { model, tools: { shell }, output };

test("settings keep their type, and make the same agent", () => {
  expectTypeOf(withHooks(settings, hooks)).toEqualTypeOf<typeof settings>();
  const plain = new ToolLoopAgent(settings);
  const hooked = new ToolLoopAgent(withHooks(settings, { hooks }));
  expectTypeOf(hooked).toEqualTypeOf<typeof plain>();
  expectTypeOf(hooked.tools).toEqualTypeOf<{ shell: typeof shell }>();
  type Result = Awaited<ReturnType<typeof hooked.generate>>;
  expectTypeOf<Result["output"]>().toEqualTypeOf<{ city: string }>();
  expectTypeOf(
    withHooks({} as ToolLoopAgentSettings, hooks, { maxHolds: 1 }),
  ).toEqualTypeOf<ToolLoopAgentSettings>();
});

test("the options of a call are those that the settings require", () => {
  const agent = new ToolLoopAgent(
    withHooks({ model, callOptionsSchema: jsonSchema<{ userId: string }>({ type: "object" }) }, hooks),
  );
  // @ts-expect-error: the options have no number.
  void agent.generate({ prompt: "Hello", options: { userId: 5 } });
});

test("prepareCall is given the options of the call and the other settings, as without hooks", () => {
  const callOptionsSchema = jsonSchema<{ userId: string }>({ type: "object" });
  const plain = new ToolLoopAgent({
    model,
    tools: { shell },
    callOptionsSchema,
    prepareCall: ({ options, ...rest }) => ({ ...rest, instructions: options.userId }),
  });
  const hooked = new ToolLoopAgent(
    withHooks(
      {
        model,
        tools: { shell },
        callOptionsSchema,
        prepareCall: ({ options, ...rest }) => {
          expectTypeOf(options).toEqualTypeOf<{ userId: string }>();
          return { ...rest, instructions: options.userId };
        },
      },
      hooks,
    ),
  );
  expectTypeOf(hooked).toEqualTypeOf<typeof plain>();
  const settings = withHooks({ model, prepareCall: (args) => ({ ...args, maxOutputTokens: 5 }) }, hooks);
  expectTypeOf(new ToolLoopAgent(settings)).toEqualTypeOf<ToolLoopAgent>();
  // @ts-expect-error: the options have no number.
  void hooked.generate({ prompt: "Hello", options: { userId: 5 } });
});

test("results of one call keep the types of its tools and its output", async () => {
  const generated = await generateText(withHooks({ ...settings, prompt: "Hello" }, hooks));
  expectTypeOf(generated.output).toEqualTypeOf<{ city: string }>();
  const streamed = streamText(withHooks({ ...settings, prompt: "Hello" }, hooks));
  const plain = streamText({ ...settings, prompt: "Hello" });
  expectTypeOf(streamed).toEqualTypeOf<typeof plain>();
});

test("tools keep their type, and the middleware is one of the SDK", () => {
  expectTypeOf(hookTools({ shell }, hooks)).toEqualTypeOf<{ shell: typeof shell }>();
  expectTypeOf(hooksMiddleware(hooks)).toExtend<LanguageModelMiddleware>();
  type Wrapped = Parameters<typeof wrapLanguageModel>[0];
  expectTypeOf(hooksMiddleware(hooks)).toExtend<Extract<Wrapped["middleware"], object>>();
});

test("settings without a model, and unknown options, are errors", () => {
  // @ts-expect-error: settings have a model.
  withHooks({ tools: { shell } }, hooks);
  // @ts-expect-error: there is no such option.
  withHooks(settings, hooks, { colour: "red" });
  // @ts-expect-error: hooks are a set of hooks, or have one.
  withHooks(settings, {});
});
