import { setImmediate } from "node:timers/promises";
import { Command, MemorySaver } from "@langchain/langgraph";
import { createHooks, type Hooks, type Trace } from "@tenterhook/engine";
import { ask, proceed } from "@tenterhook/protocol";
import { createAgent, tool } from "langchain";
import { expect, describe as group, test } from "vitest";
import { z } from "zod";
import { hooksMiddleware } from "./middleware.ts";
import { converse, describe, echoCall, scriptedAgent } from "./testing/run-agent.ts";
import { ScriptedModel } from "./testing/scripted-model.ts";

const config = { configurable: { thread_id: "1" } };
const start = { messages: [{ role: "user", content: "hello" }] };

/** Asks about `risky` inputs. */
function asking(hooks: Hooks): void {
  hooks.on("before_tool", function cautious(ctx) {
    return String(ctx.toolInput.text).startsWith("risky") ? ask("it looks risky") : undefined;
  });
}

function askingAgent(texts: readonly string[], register: (hooks: Hooks) => void = asking) {
  const calls = texts.map((text, index) => echoCall(text, `call-${index}`));
  return scriptedAgent([{ calls }, "done"], register, { checkpointer: new MemorySaver() });
}

group("ask in a LangChain agent", () => {
  test("pauses the graph with the question in the format of humanInTheLoopMiddleware, and runs the tool once approved", async () => {
    const { agent, executed } = askingAgent(["risky"]);
    const paused = await agent.invoke(start, config);
    expect(paused).toMatchObject({
      __interrupt__: [
        {
          value: {
            actionRequests: [
              {
                name: "echo",
                args: { text: "risky" },
                description: 'Hook "cautious" asks for approval: it looks risky',
              },
            ],
            reviewConfigs: [{ actionName: "echo", allowedDecisions: ["approve", "edit", "reject"] }],
          },
        },
      ],
    });
    expect(executed).toEqual([]);
    const resumed = await agent.invoke(new Command({ resume: { decisions: [{ type: "approve" }] } }), config);
    expect(describe(resumed.messages)).toEqual(["human: hello", "ai: ", "tool: echo: risky", "ai: done"]);
    expect(executed).toEqual(["risky"]);
  });

  test("gives the model the person's reason when the call is rejected", async () => {
    const { agent, executed } = askingAgent(["risky"]);
    await agent.invoke(start, config);
    const decisions = [{ type: "reject", message: "not today" }];
    const resumed = await agent.invoke(new Command({ resume: { decisions } }), config);
    expect(describe(resumed.messages)[2]).toBe("tool error: not today");
    expect(executed).toEqual([]);
  });

  test("executes the input that the person edited", async () => {
    const { agent, executed } = askingAgent(["risky"]);
    await agent.invoke(start, config);
    const decisions = [{ type: "edit", editedAction: { name: "echo", args: { text: "harmless" } } }];
    await agent.invoke(new Command({ resume: { decisions } }), config);
    expect(executed).toEqual(["harmless"]);
  });

  test("takes a resume value without a decision for a rejection", async () => {
    const { agent, executed } = askingAgent(["risky"]);
    await agent.invoke(start, config);
    const resumed = await agent.invoke(new Command({ resume: "whatever" }), config);
    expect(describe(resumed.messages)[2]).toMatch(/^tool error: the run was resumed without a decision/);
    expect(executed).toEqual([]);
  });

  test("refuses the call when the agent has no checkpointer", async () => {
    const { agent, executed } = scriptedAgent([{ calls: [echoCall("risky")] }, "done"], asking);
    expect((await converse(agent))[2]).toMatch(/^tool error: .*No checkpointer set/s);
    expect(executed).toEqual([]);
  });

  test("executes a free call beside the question once, and asks several questions at the same time", async () => {
    const { agent, executed } = askingAgent(["free", "risky 1", "risky 2"]);
    const { __interrupt__: questions = [] } = (await agent.invoke(start, config)) as {
      __interrupt__?: { id: string; value: { actionRequests: { args: { text: string } }[] } }[];
    };
    expect(executed).toEqual(["free"]);
    const resume = Object.fromEntries(
      questions.map(({ id, value }) => [
        id,
        { decisions: [{ type: value.actionRequests[0]?.args.text === "risky 1" ? "approve" : "reject" }] },
      ]),
    );
    const resumed = await agent.invoke(new Command({ resume }), config);
    expect(executed).toEqual(["free", "risky 1"]);
    expect(describe(resumed.messages).slice(2, 5)).toEqual([
      "tool: echo: free",
      "tool: echo: risky 1",
      "tool error: it looks risky (rejected)",
    ]);
  });

  test("lets a free call finish that is still running when the graph pauses", async () => {
    const hooks = createHooks();
    const ended: string[] = [];
    let open: () => void = () => {};
    const isAsked = new Promise<void>((resolve) => {
      open = resolve;
    });
    hooks.on("before_tool", (ctx) => {
      if (ctx.toolName !== "quick") return undefined;
      open();
      return ask("sure?");
    });
    hooks.on(["after_tool", "after_tool_failure"], (ctx) => {
      ended.push(`${ctx.event} ${(ctx as { toolName?: string }).toolName}`);
    });
    const slow = tool(
      async () => {
        await isAsked;
        await setImmediate();
        return "slow result";
      },
      { name: "slow", schema: z.object({}) },
    );
    const quick = tool(() => "quick result", { name: "quick", schema: z.object({}) });
    const calls = ["slow", "quick"].map((name) => ({ id: name, name, input: {} }));
    const agent = createAgent({
      model: new ScriptedModel([{ calls }, "done"]),
      tools: [slow, quick],
      middleware: [hooksMiddleware(hooks)],
      checkpointer: new MemorySaver(),
    });
    await agent.invoke(start, config);
    expect(ended).toEqual(["after_tool slow"]);
    const resumed = await agent.invoke(new Command({ resume: { decisions: [{ type: "approve" }] } }), config);
    expect(describe(resumed.messages).slice(2)).toEqual([
      "tool: slow result",
      "tool: quick result",
      "ai: done",
    ]);
    expect(ended).toEqual(["after_tool slow", "after_tool quick"]);
  });

  test("calls the hooks again when the graph is resumed, and records the call once", async () => {
    const traces: Trace[] = [];
    let calls = 0;
    const { agent } = askingAgent(["risky"], (hooks) => {
      hooks.onTrace((trace) => void traces.push(trace));
      hooks.on("before_tool", () => void calls++);
      asking(hooks);
    });
    await agent.invoke(start, config);
    expect(traces.filter(({ event }) => event === "before_tool")).toHaveLength(0);
    await agent.invoke(new Command({ resume: { decisions: [{ type: "approve" }] } }), config);
    expect(calls).toBe(2);
    expect(traces.filter(({ event }) => event === "before_tool")).toHaveLength(1);
  });

  test("asks one question after another when two hooks ask about one call", async () => {
    const { agent, executed } = askingAgent(["risky"], (hooks) => {
      asking(hooks);
      hooks.on("before_tool", () => ask("a second opinion"));
    });
    await agent.invoke(start, config);
    const approve = () => agent.invoke(new Command({ resume: { decisions: [{ type: "approve" }] } }), config);
    expect(await approve()).toMatchObject({
      __interrupt__: [
        { value: { actionRequests: [{ description: expect.stringContaining("a second opinion") }] } },
      ],
    });
    expect(executed).toEqual([]);
    await approve();
    expect(executed).toEqual(["risky"]);
  });

  test("pauses for a hook that a source registers when the event is fired", async () => {
    const { agent, executed } = askingAgent(["risky"], (hooks) => {
      let isRegistered = false;
      hooks.beforeEachDispatch((event) => {
        if (event !== "before_tool" || isRegistered) return undefined;
        isRegistered = true;
        asking(hooks);
        return undefined;
      });
    });
    expect(await agent.invoke(start, config)).toHaveProperty("__interrupt__");
    expect(executed).toEqual([]);
  });

  test("asks the approver of the options instead of pausing", async () => {
    const { agent, executed } = scriptedAgent(
      [{ calls: [echoCall("risky")] }, "done"],
      (hooks) => {
        asking(hooks);
        hooks.on("before_tool", () => proceed({ toolInput: { text: "risky but changed" } }), {
          priority: 10,
        });
      },
      { options: { approve: () => ({ type: "approve" }) } },
    );
    await converse(agent);
    expect(executed).toEqual(["risky but changed"]);
  });
});
