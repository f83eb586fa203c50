import { ToolMessage } from "@langchain/core/messages";
import { Command, interrupt, MemorySaver } from "@langchain/langgraph";
import { createHooks } from "@tenterhook/engine";
import { block, proceed, recover, skip, stop, TenterhookError } from "@tenterhook/protocol";
import { createAgent, tool } from "langchain";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { hooksMiddleware } from "./middleware.ts";
import { converse, echoCall, scriptedAgent } from "./testing/run-agent.ts";
import { ScriptedModel } from "./testing/scripted-model.ts";

const oneCall = [{ calls: [echoCall("a")] }, "done"];

describe("tools of a LangChain agent", () => {
  test("executes the input that a hook changed, and keeps the model's own arguments in the conversation", async () => {
    const { agent, executed, model } = scriptedAgent(oneCall, (hooks) => {
      hooks.on("before_tool", () => proceed({ toolInput: { text: "b" } }));
    });
    expect(await converse(agent)).toEqual(["human: hello", "ai: ", "tool: echo: b", "ai: done"]);
    expect(executed).toEqual(["b"]);
    expect(model.inputs[1]?.[1]).toMatchObject({ tool_calls: [{ args: { text: "a" } }] });
  });

  test("warns once of a tool that LangChain does not execute", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => block("no"));
    const warnings: string[] = [];
    const warn = (message: string) => void warnings.push(message);
    const shell = tool(() => "", { name: "shell", schema: z.object({}) });
    const agent = createAgent({
      model: new ScriptedModel([{ calls: [{ id: "1", name: "shell", input: {} }] }, "done"]),
      tools: [shell, { type: "web_search_20250305", name: "web_search" }],
      middleware: [hooksMiddleware(hooks, { warn })],
    });
    await agent.invoke({ messages: "hello" });
    expect(warnings).toEqual([
      'The tool "web_search" is not executed by LangChain: hooks are not called about it.',
    ]);
  });

  test("refuses a changed input that the tool's schema does not accept", async () => {
    const { agent, executed } = scriptedAgent(oneCall, (hooks) => {
      hooks.on("before_tool", () => proceed({ toolInput: { text: 1 } }));
    });
    const [, , result] = await converse(agent);
    expect(result).toMatch(/^tool error: .*expected string/s);
    expect(executed).toEqual([]);
  });

  test("gives the model the bare reason of a blocked call, and continues", async () => {
    const { agent, executed } = scriptedAgent(oneCall, (hooks) => {
      hooks.on("before_tool", () => block("not on Sundays"));
    });
    expect(await converse(agent)).toEqual(["human: hello", "ai: ", "tool error: not on Sundays", "ai: done"]);
    expect(executed).toEqual([]);
  });

  test("uses the result of a hook that skips the tool, and fires after_tool for it", async () => {
    const statuses: unknown[] = [];
    const { agent, executed } = scriptedAgent(oneCall, (hooks) => {
      hooks.on("before_tool", () => skip({ cached: true }));
      hooks.on("after_tool", (ctx) => void statuses.push(ctx.status));
    });
    expect((await converse(agent))[2]).toBe('tool: {"cached":true}');
    expect({ executed, statuses }).toEqual({ executed: [], statuses: ["skipped"] });
  });

  test("gives the model what LangChain gives it for a tool that throws, instead of failing the run", async () => {
    const script = [{ calls: [{ id: "1", name: "fail", input: {} }] }, "done"];
    const plain = createAgent({
      model: new ScriptedModel(script),
      tools: [
        tool(
          () => {
            throw new Error("disk full");
          },
          { name: "fail", schema: z.object({}) },
        ),
      ],
    });
    const { agent } = scriptedAgent(script);
    const conversation = await converse(agent);
    expect(conversation[2]).toBe("tool error: Error: disk full\n Please fix your mistakes.");
    expect(conversation).toEqual(await converse(plain));
  });

  test("replaces the failure of a tool by the result of a hook that recovers it", async () => {
    const { agent } = scriptedAgent([{ calls: [{ id: "1", name: "fail", input: {} }] }, "done"], (hooks) => {
      hooks.on("after_tool_failure", (ctx) => recover(`rescued from ${ctx.error.message}`));
    });
    expect((await converse(agent))[2]).toBe("tool: rescued from disk full");
  });

  test("offers the failure of a tool to on_error in the phase tool", async () => {
    const { agent } = scriptedAgent([{ calls: [{ id: "1", name: "fail", input: {} }] }, "done"], (hooks) => {
      hooks.on("on_error", (ctx) => (ctx.phase === "tool" ? recover("handled") : undefined));
    });
    expect((await converse(agent))[2]).toBe("tool: handled");
  });

  test("keeps the message of a schema error, and reports it as a failure", async () => {
    const failures: string[] = [];
    const { agent, executed } = scriptedAgent(
      [{ calls: [{ id: "1", name: "echo", input: { text: 5 } }] }, "done"],
      (hooks) => {
        hooks.on("after_tool_failure", (ctx) => void failures.push(ctx.toolName));
      },
    );
    expect((await converse(agent))[2]).toMatch(/^tool error: Error invoking tool 'echo'/);
    expect({ executed, failures }).toEqual({ executed: [], failures: ["echo"] });
  });

  test("asks hooks about a tool that does not exist, and gives the model LangChain's message", async () => {
    const asked: string[] = [];
    const { agent } = scriptedAgent([{ calls: [{ id: "1", name: "gone", input: {} }] }, "done"], (hooks) => {
      hooks.on("before_tool", (ctx) => void asked.push(ctx.toolName));
    });
    expect((await converse(agent))[2]).toMatch(/^tool error: .*gone/);
    expect(asked).toEqual(["gone"]);
  });

  test("withholds a result, changes another one, and adds context to a third", async () => {
    const script = [
      { calls: [echoCall("secret", "1"), echoCall("old", "2"), echoCall("plain", "3")] },
      "done",
    ];
    const { agent } = scriptedAgent(script, (hooks) => {
      hooks.on("after_tool", (ctx) => {
        if (ctx.toolInput.text === "secret") return block("it is secret");
        if (ctx.toolInput.text === "old") return proceed({ toolResult: "new" });
        return proceed({}, { context: "mind the gap" });
      });
    });
    expect((await converse(agent)).slice(2, 5)).toEqual([
      "tool error: The result was withheld: it is secret",
      "tool: new",
      "tool: echo: plain\n\n<hook_context>\nmind the gap\n</hook_context>",
    ]);
  });

  test("ends the run when a hook stops it in a tool: the model is not called again, and every call has its result", async () => {
    const script = [{ calls: [echoCall("stop", "1"), echoCall("other", "2")] }, "never"];
    const checkpointer = new MemorySaver();
    const { agent, model } = scriptedAgent(
      script,
      (hooks) => {
        hooks.on("before_tool", (ctx) => (ctx.toolInput.text === "stop" ? stop("enough") : undefined));
      },
      { checkpointer },
    );
    const config = { configurable: { thread_id: "1" } };
    const failure = (await converse(agent, config).catch((error: unknown) => error)) as Error;
    expect(failure.message).toContain("enough");
    expect(TenterhookError.isInstance(failure.cause) && failure.cause.code).toBe("run_stopped");
    expect(model.inputs).toHaveLength(1);
    const { values } = await agent.graph.getState(config);
    const results = (values as { messages: unknown[] }).messages.filter(ToolMessage.isInstance);
    expect(results).toHaveLength(2);
  });

  test("is not softened by a middleware outside it that swallows errors of tools", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => stop("enough"));
    const model = new ScriptedModel([{ calls: [echoCall("a")] }, "never"]);
    const swallow = {
      name: "swallow",
      wrapToolCall: async (request: never, handler: (request: never) => unknown) => {
        try {
          return await handler(request);
        } catch {
          return new ToolMessage({ tool_call_id: "call-1", content: "swallowed" });
        }
      },
    };
    const agent = createAgent({ model, tools: [], middleware: [swallow as never, hooksMiddleware(hooks)] });
    await expect(converse(agent)).rejects.toThrow("enough");
    expect(model.inputs).toHaveLength(1);
  });

  test("runs parallel calls at the same time, each with its own hooks", async () => {
    const hooks = createHooks();
    const order: string[] = [];
    hooks.on(["before_tool", "after_tool"], (ctx) => {
      order.push(`${ctx.event} ${(ctx as { toolUseId?: string }).toolUseId}`);
    });
    let waiting = 0;
    let open: () => void = () => {};
    const both = new Promise<void>((resolve) => {
      open = resolve;
    });
    const meet = tool(
      async () => {
        if (++waiting === 2) open();
        await both;
        return "met";
      },
      { name: "meet", schema: z.object({}) },
    );
    const calls = ["1", "2"].map((id) => ({ id, name: "meet", input: {} }));
    const agent = createAgent({
      model: new ScriptedModel([{ calls }, "done"]),
      tools: [meet],
      middleware: [hooksMiddleware(hooks)],
    });
    expect(await converse(agent)).toEqual(["human: hello", "ai: ", "tool: met", "tool: met", "ai: done"]);
    expect(order.slice(0, 2)).toEqual(["before_tool 1", "before_tool 2"]);
    expect(order.slice(2).sort()).toEqual(["after_tool 1", "after_tool 2"]);
  });

  test("changes the message inside a command that a tool returns, and keeps the rest of the command", async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.on("after_tool", (ctx) => {
      seen.push(ctx.toolResult);
      return proceed({ toolResult: "changed" });
    });
    const commanding = tool(
      (_input, config) => {
        const { toolCall } = config as unknown as { toolCall: { id: string } };
        const message = new ToolMessage({ tool_call_id: toolCall.id, content: "original" });
        return new Command({ update: { messages: [message], note: "kept" } });
      },
      { name: "commanding", schema: z.object({}) },
    );
    const agent = createAgent({
      model: new ScriptedModel([{ calls: [{ id: "1", name: "commanding", input: {} }] }, "done"]),
      tools: [commanding],
      stateSchema: z.object({ note: z.string().optional() }),
      middleware: [hooksMiddleware(hooks)],
    });
    const result = await agent.invoke({ messages: [{ role: "user", content: "hello" }] });
    expect(seen).toEqual(["original"]);
    expect(result.note).toBe("kept");
    expect(result.messages.map(({ text }) => text)).toEqual(["hello", "", "changed", "done"]);
  });

  test("lets a tool pause the graph itself, without an event for a failure", async () => {
    const hooks = createHooks();
    const events: string[] = [];
    hooks.on(
      ["before_tool", "after_tool", "after_tool_failure", "on_error"],
      (ctx) => void events.push(ctx.event),
    );
    const ask = tool(() => `answered ${interrupt("which one?")}`, { name: "ask", schema: z.object({}) });
    const agent = createAgent({
      model: new ScriptedModel([{ calls: [{ id: "1", name: "ask", input: {} }] }, "done"]),
      tools: [ask],
      middleware: [hooksMiddleware(hooks)],
      checkpointer: new MemorySaver(),
    });
    const config = { configurable: { thread_id: "1" } };
    const paused = await agent.invoke({ messages: [{ role: "user", content: "hello" }] }, config);
    expect(paused).toMatchObject({ __interrupt__: [{ value: "which one?" }] });
    const resumed = await agent.invoke(new Command({ resume: "the blue one" }), config);
    expect(resumed.messages.map(({ text }) => text)).toContain("answered the blue one");
    expect(events).toEqual(["before_tool", "before_tool", "after_tool"]);
  });
});
