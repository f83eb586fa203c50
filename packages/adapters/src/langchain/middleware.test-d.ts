import { createHooks } from "@tenterhook/engine";
import { type BaseMessage, createAgent, createMiddleware } from "langchain";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import { hooksMiddleware, withRunEnd } from "./index.ts";
import { ScriptedModel } from "./testing/scripted-model.ts";

const counting = createMiddleware({
  name: "counting",
  stateSchema: z.object({ count: z.number().default(0) }),
});

const settings = {
  model: new ScriptedModel([]),
  tools: [],
  stateSchema: z.object({ note: z.string() }),
  responseFormat: z.object({ city: z.string() }),
};

test("an agent keeps the types of its state, its response and its other middleware", () => {
  const plain = createAgent({ ...settings, middleware: [counting] });
  const hooked = createAgent({ ...settings, middleware: [hooksMiddleware(createHooks()), counting] });
  type Result<A extends { invoke: (...args: never[]) => unknown }> = Awaited<ReturnType<A["invoke"]>>;
  expectTypeOf<Result<typeof plain>["count"]>().toEqualTypeOf<number>();
  expectTypeOf<Result<typeof hooked>["note"]>().toEqualTypeOf<string>();
  expectTypeOf<Result<typeof hooked>["count"]>().toEqualTypeOf<number>();
  expectTypeOf<Result<typeof hooked>["structuredResponse"]>().toEqualTypeOf<{ city: string }>();
  expectTypeOf<Result<typeof hooked>["messages"]>().toEqualTypeOf<BaseMessage[]>();
  // @ts-expect-error: the state's own fields are still required.
  void hooked.invoke({ messages: [], note: 5 });
});

test("an agent whose runs end with their events keeps its type", () => {
  const agent = createAgent({ ...settings, middleware: [counting] });
  expectTypeOf(withRunEnd(agent)).toEqualTypeOf<typeof agent>();
  // @ts-expect-error: it has no runs.
  withRunEnd({});
});
