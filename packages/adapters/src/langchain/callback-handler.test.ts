import { type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { createHooks, type Hooks } from "@tenterhook/engine";
import { ask, block, proceed, skip, stop } from "@tenterhook/protocol";
import { expect, describe as group, test } from "vitest";
import { z } from "zod";
import { HooksCallbackHandler } from "./callback-handler.ts";
import { describe, echoCall } from "./testing/run-agent.ts";
import { type ScriptedAnswer, ScriptedModel } from "./testing/scripted-model.ts";

const oneCall = [{ calls: [echoCall("a")] }, "done"];

/** A graph with a model and a prebuilt ToolNode, and no middleware. */
async function runGraph(script: readonly ScriptedAnswer[], register: (hooks: Hooks) => void, options = {}) {
  const hooks = createHooks();
  register(hooks);
  const executed: string[] = [];
  const echo = tool(
    ({ text }) => {
      if (text === "boom") throw new Error("boom");
      executed.push(text);
      return `echo: ${text}`;
    },
    { name: "echo", schema: z.object({ text: z.string() }) },
  );
  const model = new ScriptedModel(script);
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("agent", async ({ messages }) => ({
      messages: [await model.bindTools([echo]).invoke(messages)],
    }))
    .addNode("tools", new ToolNode([echo]))
    .addEdge(START, "agent")
    .addConditionalEdges("agent", ({ messages }) => {
      const { tool_calls: calls = [] } = messages.at(-1) as { tool_calls?: unknown[] };
      return calls.length > 0 ? "tools" : END;
    })
    .addEdge("tools", "agent")
    .compile();
  const callbacks = [new HooksCallbackHandler(hooks, options)];
  const run = graph.invoke({ messages: [new HumanMessage("hello")] }, { callbacks });
  const conversation = run.then(({ messages }) => describe(messages as BaseMessage[]));
  return { conversation, executed, model };
}

group("HooksCallbackHandler", () => {
  test("fires the events of the model and of tools, in order and with their fields", async () => {
    const events: unknown[] = [];
    const { conversation } = await runGraph(
      [{ calls: [echoCall("a"), echoCall("boom", "2")] }, "done"],
      (hooks) => {
        hooks.on(["before_llm", "after_llm"], (ctx) => void events.push(`${ctx.event} ${ctx.iteration}`));
        hooks.on("before_tool", (ctx) => void events.push(ctx.toolInput.text));
        hooks.on("after_tool", (ctx) => void events.push(ctx.toolResult));
        hooks.on("after_tool_failure", (ctx) => void events.push(ctx.error.message));
      },
    );
    await conversation;
    expect(events.slice(0, 4)).toEqual(["before_llm 1", "after_llm 1", "a", "boom"]);
    expect(events.slice(4, 6).sort()).toEqual(["boom", "echo: a"]);
    expect(events.slice(6)).toEqual(["before_llm 2", "after_llm 2"]);
  });

  test("keeps a refused tool from running, and gives the model the reason with LangChain's advice", async () => {
    const { conversation, executed } = await runGraph(oneCall, (hooks) => {
      hooks.on("before_tool", () => block("not on Sundays"));
    });
    expect((await conversation)[2]).toBe("tool error: Error: not on Sundays\n Please fix your mistakes.");
    expect(executed).toEqual([]);
  });

  test("refuses a call whose input a hook changed or replaced, because a callback cannot carry that", async () => {
    for (const outcome of [proceed({ toolInput: { text: "b" } }), skip("cached")]) {
      const { conversation, executed } = await runGraph(oneCall, (hooks) => {
        hooks.on("before_tool", () => outcome);
      });
      expect((await conversation)[2]).toMatch(/^tool error: .*cannot/s);
      expect(executed).toEqual([]);
    }
  });

  test("asks the approver of the options, and refuses the call without one", async () => {
    const asking = (hooks: Hooks) => void hooks.on("before_tool", () => ask("sure?"));
    const approved = await runGraph(oneCall, asking, { approve: () => ({ type: "approve" }) });
    expect((await approved.conversation)[2]).toBe("tool: echo: a");
    const alone = await runGraph(oneCall, asking);
    expect((await alone.conversation)[2]).toContain("no approver is connected");
    expect(alone.executed).toEqual([]);
  });

  test("withholds a result that a hook refuses", async () => {
    const { conversation } = await runGraph(
      oneCall,
      (hooks) => void hooks.on("after_tool", () => block("secret")),
    );
    expect((await conversation)[2]).toBe("tool error: Error: secret\n Please fix your mistakes.");
  });

  test("fails the run when a hook refuses the model call or its answer", async () => {
    const before = await runGraph(
      oneCall,
      (hooks) => void hooks.on("before_llm", () => block("over budget")),
    );
    await expect(before.conversation).rejects.toThrow("over budget");
    expect(before.model.inputs).toHaveLength(0);
    const after = await runGraph(oneCall, (hooks) => void hooks.on("after_llm", () => block("rude")));
    await expect(after.conversation).rejects.toThrow("rude");
    expect(after.executed).toEqual([]);
  });

  test("ends the run at the next model call when a hook stops it in a tool, although LangChain swallows the throw there", async () => {
    const { conversation, executed, model } = await runGraph(oneCall, (hooks) => {
      hooks.on("before_tool", () => stop("enough"));
    });
    await expect(conversation).rejects.toThrow("enough");
    expect(executed).toEqual([]);
    expect(model.inputs).toHaveLength(1);
  });

  test("refuses hooks on events that callbacks do not have", () => {
    const hooks = createHooks();
    hooks.on("before_stop", () => block("no"));
    expect(() => new HooksCallbackHandler(hooks)).toThrow("LangChain's callbacks");
  });
});
