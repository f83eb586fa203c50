import { Agent, type Plugin } from "@strands-agents/sdk";
import { hooksPlugin } from "@tenterhook/adapters/strands";
import { createHooks } from "@tenterhook/engine";
import { expectTypeOf, test } from "vitest";
import { ScriptedModel } from "./scripted-model.ts";

test("a plugin is one of Strands, and takes its models", () => {
  const hooks = createHooks();
  expectTypeOf(hooksPlugin(hooks)).toExtend<Plugin>();
  expectTypeOf(hooksPlugin({ hooks }, { models: { other: new ScriptedModel([]) } })).toExtend<Plugin>();
  expectTypeOf(new Agent({ plugins: [hooksPlugin(hooks)] })).toEqualTypeOf<Agent>();
  // @ts-expect-error: a model has methods.
  hooksPlugin(hooks, { models: { other: "gpt" } });
  // @ts-expect-error: there is no such option.
  hooksPlugin(hooks, { colour: "red" });
});
