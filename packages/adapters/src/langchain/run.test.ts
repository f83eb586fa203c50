import { HumanMessage } from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import { createHooks, type Hooks } from "@tenterhook/engine";
import { ask, block, EVENT_NAMES, proceed, skip, stop, TenterhookError } from "@tenterhook/protocol";
import { createAgent, createMiddleware, tool } from "langchain";
import { expect, describe as group, test } from "vitest";
import { z } from "zod";
import { hooksMiddleware } from "./middleware.ts";
import { LANGCHAIN_SUPPORT } from "./support.ts";
import { converse, describe, echoCall, scriptedAgent } from "./testing/run-agent.ts";
import { ScriptedModel } from "./testing/scripted-model.ts";

const SUPPORTED = EVENT_NAMES.filter((event) => LANGCHAIN_SUPPORT.events[event] !== undefined);

/** Records the events in order. */
function recording(hooks: Hooks): string[] {
  const events: string[] = [];
  hooks.on(SUPPORTED, (ctx) => void events.push(ctx.event), { priority: 100 });
  return events;
}

group("runs of a LangChain agent", () => {
  test("fires the events in the order of Tenterhook's own agent", async () => {
    let events: string[] = [];
    const { agent } = scriptedAgent([{ calls: [echoCall("a")] }, "done"], (hooks) => {
      events = recording(hooks);
    });
    await converse(agent);
    expect(events).toEqual([
      "before_agent",
      ...["before_step", "before_llm", "after_llm", "before_tool", "after_tool", "after_step"],
      ...["before_step", "before_llm", "after_llm", "after_step"],
      "before_stop",
      "after_agent",
    ]);
  });

  test("fires the same events when it is streamed", async () => {
    let events: string[] = [];
    const { agent } = scriptedAgent([{ calls: [echoCall("a")] }, "done"], (hooks) => {
      events = recording(hooks);
    });
    const stream = await agent.stream({ messages: [new HumanMessage("hello")] }, { streamMode: "messages" });
    for await (const _part of stream);
    expect(events).toHaveLength(13);
    expect(events.at(-1)).toBe("after_agent");
  });

  test("gives every event the run, the session of the thread, the agent's name and the number of the step", async () => {
    const seen: unknown[] = [];
    const { agent } = scriptedAgent(
      [{ calls: [echoCall("a")] }, "done"],
      (hooks) => {
        hooks.on(["before_tool", "before_llm"], (ctx) => {
          seen.push([ctx.event, ctx.sessionId, ctx.agent?.name, ctx.iteration, ctx.runId]);
        });
      },
      { name: "clerk" },
    );
    await converse(agent, { configurable: { thread_id: "thread-7" } });
    const [first] = seen as string[][];
    const runId = first?.[4];
    expect(seen).toEqual([
      ["before_llm", "thread-7", "clerk", 1, runId],
      ["before_tool", "thread-7", "clerk", 1, runId],
      ["before_llm", "thread-7", "clerk", 2, runId],
    ]);
  });

  test("replaces the user's message by what hooks made of it, in the conversation too", async () => {
    const { agent, model } = scriptedAgent(["done"], (hooks) => {
      hooks.on("before_agent", (ctx) =>
        proceed({ message: `${ctx.message}, world` }, { context: "it rains" }),
      );
    });
    const expected = "human: hello, world\n\n<hook_context>\nit rains\n</hook_context>";
    expect(await converse(agent)).toEqual([expected, "ai: done"]);
    expect(describe(model.inputs[0] ?? [])).toEqual([expected]);
  });

  test("keeps the images of a message whose text a hook changed", async () => {
    const { agent, model } = scriptedAgent(["done"], (hooks) => {
      hooks.on("before_agent", () => proceed({ message: "what is this?" }));
    });
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } };
    await agent.invoke({ messages: [new HumanMessage({ content: [{ type: "text", text: "?" }, image] })] });
    expect(model.inputs[0]?.[0]?.content).toEqual([{ type: "text", text: "what is this?" }, image]);
  });

  test("ends a refused turn with the reason as the answer, without a model call", async () => {
    const ends: unknown[] = [];
    const { agent, model } = scriptedAgent(["never"], (hooks) => {
      hooks.on("before_agent", () => block("office hours are over"));
      hooks.on("before_stop", () => block("never asked"));
      hooks.on("after_agent", (ctx) => void ends.push(ctx.status));
    });
    expect(await converse(agent)).toEqual(["human: hello", "ai: office hours are over"]);
    expect(model.inputs).toHaveLength(0);
    expect(ends).toEqual(["stopped"]);
  });

  test("fails a turn whose guard fails", async () => {
    const { agent, model } = scriptedAgent(["never"], (hooks) => {
      hooks.on("before_agent", () => {
        throw new Error("no connection");
      });
    });
    await expect(converse(agent)).rejects.toThrow("no connection");
    expect(model.inputs).toHaveLength(0);
  });

  test("keeps the agent running with the reason as feedback, until the hook lets it stop", async () => {
    const active: unknown[] = [];
    const { agent, model } = scriptedAgent(["not yet", { calls: [echoCall("a")] }, "tested"], (hooks) => {
      hooks.on("before_stop", (ctx) => {
        active.push(ctx.stopHookActive);
        return ctx.finalMessage?.content === "tested" ? undefined : block("run the tests");
      });
    });
    expect(await converse(agent)).toEqual([
      "human: hello",
      "ai: not yet",
      "human: run the tests",
      "ai: ",
      "tool: echo: a",
      "ai: tested",
    ]);
    expect(model.inputs).toHaveLength(3);
    expect(active).toEqual([false, true]);
  });

  test("fires the step events of a step that begins because the agent was kept running", async () => {
    let events: string[] = [];
    const { agent } = scriptedAgent(["no", "yes"], (hooks) => {
      events = recording(hooks);
      let holds = 0;
      hooks.on("before_stop", () => (holds++ === 0 ? block("again") : undefined));
    });
    await converse(agent);
    expect(events.filter((event) => event.endsWith("_step") || event === "before_stop")).toEqual([
      ...["before_step", "after_step", "before_stop"],
      ...["before_step", "after_step", "before_stop"],
    ]);
  });

  test("fails the run as gate_unsatisfied after its own limit of holds, before LangGraph's recursion limit", async () => {
    const ends: unknown[] = [];
    const { agent, model } = scriptedAgent(["1", "2", "3", "4", "5"], (hooks) => {
      hooks.on("before_stop", () => block("never good enough"));
      hooks.on("after_agent", (ctx) => void ends.push(ctx.status, ctx.gateUnsatisfied));
    });
    await expect(converse(agent)).rejects.toThrow("without satisfying its gate");
    expect(model.inputs).toHaveLength(4);
    expect(ends).toEqual(["failed", true]);
  });

  test("keeps an agent running that would end with the result of a returnDirect tool", async () => {
    const hooks = createHooks();
    let holds = 0;
    hooks.on("before_stop", () => (holds++ === 0 ? block("say it in words") : undefined));
    const direct = tool(() => "42", { name: "direct", schema: z.object({}), returnDirect: true });
    const agent = createAgent({
      model: new ScriptedModel([{ calls: [{ id: "1", name: "direct", input: {} }] }, "it is 42"]),
      tools: [direct],
      middleware: [hooksMiddleware(hooks)],
    });
    expect(await converse(agent)).toEqual([
      "human: hello",
      "ai: ",
      "tool: 42",
      "human: say it in words",
      "ai: it is 42",
    ]);
  });

  test("changes the conversation by the messages that step hooks return", async () => {
    const { agent } = scriptedAgent([{ calls: [echoCall("a")] }, "done"], (hooks) => {
      hooks.on("before_step", (ctx) =>
        ctx.stepIndex === 1 ? proceed({ messages: ctx.messages.slice(0, 1) }) : undefined,
      );
    });
    expect(await converse(agent)).toEqual(["human: hello", "ai: done"]);
  });

  test("counts a skipped step, and ends an agent whose steps are all skipped", async () => {
    const indexes: unknown[] = [];
    const { agent } = scriptedAgent(["done"], (hooks) => {
      hooks.on("before_step", (ctx) => {
        indexes.push(ctx.stepIndex);
        return ctx.stepIndex === 0 ? skip() : undefined;
      });
    });
    await converse(agent);
    expect(indexes).toEqual([0, 1]);
    const ends: unknown[] = [];
    const endless = scriptedAgent(["never"], (hooks) => {
      hooks.on("before_step", () => skip());
      hooks.on("after_agent", (ctx) => void ends.push(ctx.status));
    });
    await converse(endless.agent, { recursionLimit: 5 });
    expect(endless.model.inputs).toHaveLength(0);
    expect(ends).toEqual(["stopped"]);
  });

  test("fires after_agent and agent_failed for a run that fails in the model", async () => {
    const ends: unknown[] = [];
    const { agent } = scriptedAgent([new Error("overloaded")], (hooks) => {
      hooks.on("agent_failed", (ctx) => void ends.push(ctx.error.message));
      hooks.on("after_agent", (ctx) => void ends.push(ctx.status, ctx.error?.message));
    });
    await expect(converse(agent)).rejects.toThrow("overloaded");
    expect(ends).toEqual(["overloaded", "failed", "overloaded"]);
  });

  test("fires after_agent as stopped when the caller aborts the run in a tool", async () => {
    const hooks = createHooks();
    const ends: unknown[] = [];
    hooks.on("after_agent", (ctx) => void ends.push(ctx.status));
    hooks.on("after_tool_failure", (ctx) => void ends.push(ctx.status));
    const controller = new AbortController();
    const endless = tool(
      () => {
        controller.abort(new Error("the user left"));
        return new Promise<string>(() => {});
      },
      { name: "endless", schema: z.object({}) },
    );
    const model = new ScriptedModel([{ calls: [{ id: "1", name: "endless", input: {} }] }, "never"]);
    const agent = createAgent({ model, tools: [endless], middleware: [hooksMiddleware(hooks)] });
    await expect(converse(agent, { signal: controller.signal })).rejects.toThrow();
    await expect.poll(() => ends).toEqual(["failed", "stopped"]);
    expect(model.inputs).toHaveLength(1);
  });

  test("fires after_agent once for a run that was paused and resumed, and before_agent not again", async () => {
    let events: string[] = [];
    const { agent } = scriptedAgent(
      [{ calls: [echoCall("a")] }, "done"],
      (hooks) => {
        events = recording(hooks);
        hooks.on("before_tool", () => ask("sure?"));
      },
      { checkpointer: new MemorySaver() },
    );
    const config = { configurable: { thread_id: "1" } };
    await converse(agent, config);
    expect(events).not.toContain("after_agent");
    await agent.invoke(new Command({ resume: { decisions: [{ type: "approve" }] } }), config);
    const count = (event: string) => events.filter((name) => name === event).length;
    expect([count("before_agent"), count("after_agent"), count("after_tool")]).toEqual([1, 1, 1]);
    expect([count("before_step"), count("after_step")]).toEqual([2, 2]);
  });

  test("separates the runs of one agent that run at the same time", async () => {
    const hooks = createHooks();
    const runIds = new Set<unknown>();
    hooks.on("before_tool", (ctx) => (ctx.sessionId === "stopped" ? stop("enough") : undefined));
    hooks.on("before_llm", (ctx) => void runIds.add(ctx.runId));
    const script = [{ calls: [echoCall("a")] }, { calls: [echoCall("a")] }, "done", "done"];
    const agent = createAgent({
      model: new ScriptedModel(script),
      tools: [tool(() => "ok", { name: "echo", schema: z.object({ text: z.string() }) })],
      middleware: [hooksMiddleware(hooks)],
    });
    const [stopped, other] = await Promise.allSettled(
      ["stopped", "other"].map((id) => converse(agent, { configurable: { thread_id: id } })),
    );
    expect([stopped?.status, other?.status]).toEqual(["rejected", "fulfilled"]);
    expect(runIds.size).toBe(2);
  });
});

group("set-up of the LangChain middleware", () => {
  test("adds a node to the graph only where a hook needs it", () => {
    const nodes = (register: (hooks: Hooks) => void, options = {}) =>
      Object.keys(scriptedAgent([], register, { options }).agent.graph.nodes).filter((name) =>
        name.startsWith("tenterhook"),
      );
    expect(nodes(() => {})).toEqual([]);
    expect(nodes((hooks) => void hooks.on(["before_llm", "before_tool"], () => {}))).toEqual([]);
    expect(nodes((hooks) => void hooks.on("before_agent", () => {}))).toEqual(["tenterhook.before_agent"]);
    expect(nodes((hooks) => void hooks.on("before_stop", () => {}))).toEqual(["tenterhook.after_agent"]);
    expect(nodes(() => {}, { events: "all" })).toEqual([
      "tenterhook.before_agent",
      "tenterhook.before_model",
      "tenterhook.after_agent",
    ]);
  });

  test("refuses a guard on an event that LangChain does not have, by the hook's name", () => {
    const hooks = createHooks();
    hooks.on("session_start", () => block("no"), { name: "gatekeeper" });
    let thrown: unknown;
    try {
      hooksMiddleware(hooks);
    } catch (error) {
      thrown = error;
    }
    expect(TenterhookError.isInstance(thrown) && thrown.code).toBe("unsupported_hook");
    expect(String(thrown)).toMatch(/gatekeeper.*LangChain/s);
  });

  test("warns of an observer on an event that LangChain does not have", () => {
    const hooks = createHooks();
    hooks.on("session_end", () => {}, { name: "diary" });
    const warnings: string[] = [];
    hooksMiddleware(hooks, { warn: (message) => void warnings.push(message) });
    expect(warnings).toEqual([expect.stringContaining("diary")]);
  });

  test("refuses a hook that is registered later on an event whose node is not there, unless all nodes are", () => {
    const late = createHooks();
    hooksMiddleware(late);
    expect(() => late.on("before_stop", () => block("no"))).toThrow("LangChain");
    late.on("before_tool", () => block("no"));
    const prepared = createHooks();
    hooksMiddleware(prepared, { events: "all" });
    prepared.on("before_stop", () => block("no"));
    expect(prepared.list("before_stop")).toHaveLength(1);
  });

  test("accepts a set of file hooks as well as hooks", async () => {
    const hooks = createHooks();
    hooks.on("before_llm", () => block("refused by a file"));
    const agent = createAgent({
      model: new ScriptedModel(["never"]),
      tools: [],
      middleware: [hooksMiddleware({ hooks })],
    });
    await expect(converse(agent)).rejects.toThrow("refused by a file");
  });

  test("works beside other middleware, around all of it when it is the first", async () => {
    const hooks = createHooks();
    const order: string[] = [];
    hooks.on("before_llm", () => void order.push("hooks"));
    const other = createMiddleware({
      name: "other",
      wrapModelCall: (request, handler) => {
        order.push("other");
        return handler(request);
      },
    });
    const agent = createAgent({
      model: new ScriptedModel(["done"]),
      tools: [],
      middleware: [hooksMiddleware(hooks), other],
    });
    expect(await converse(agent)).toEqual(["human: hello", "ai: done"]);
    expect(order).toEqual(["hooks", "other"]);
  });
});
