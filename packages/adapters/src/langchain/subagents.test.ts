import { HumanMessage } from "@langchain/core/messages";
import { createHooks, type Hooks } from "@tenterhook/engine";
import { block, proceed, stop } from "@tenterhook/protocol";
import { jsonSchema, tool as sdkTool, ToolLoopAgent } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { createAgent, tool } from "langchain";
import { expect, describe as group, test } from "vitest";
import { z } from "zod";
import { scriptMock } from "../ai-sdk/testing/mock-model.ts";
import { withHooks } from "../ai-sdk/with-hooks.ts";
import { hooksMiddleware } from "./middleware.ts";
import { converse, echoCall } from "./testing/run-agent.ts";
import { type ScriptedAnswer, ScriptedModel } from "./testing/scripted-model.ts";

/** An agent whose tool `research` is another agent, with the same hooks. */
function delegatingAgents(hooks: Hooks, subagentScript: readonly ScriptedAnswer[]) {
  const executed: string[] = [];
  const echo = tool(
    ({ text }) => {
      executed.push(text);
      return `echo: ${text}`;
    },
    { name: "echo", schema: z.object({ text: z.string() }) },
  );
  const subModel = new ScriptedModel(subagentScript);
  const researcher = createAgent({
    name: "researcher",
    model: subModel,
    tools: [echo],
    middleware: [hooksMiddleware(hooks)],
  });
  const research = tool(
    async ({ task }) => {
      const { messages } = await researcher.invoke({ messages: [new HumanMessage(task)] });
      return messages.at(-1)?.text ?? "";
    },
    { name: "research", schema: z.object({ task: z.string() }) },
  );
  const model = new ScriptedModel([
    { calls: [{ id: "1", name: "research", input: { task: "find it" } }] },
    "done",
  ]);
  const agent = createAgent({ name: "lead", model, tools: [research], middleware: [hooksMiddleware(hooks)] });
  return { agent, model, subModel, executed };
}

group("subagents of a LangChain agent", () => {
  test("calls the hooks inside the subagent too, with its own run, its parent and its name", async () => {
    const hooks = createHooks();
    const seen: string[] = [];
    hooks.on("before_tool", (ctx) => {
      seen.push(`${ctx.agent?.name} under ${ctx.state?.parentAgentId ?? "none"}: ${ctx.toolName}`);
    });
    const { agent } = delegatingAgents(hooks, [{ calls: [echoCall("a")] }, "found"]);
    expect(await converse(agent)).toEqual(["human: hello", "ai: ", "tool: found", "ai: done"]);
    expect(seen).toEqual(["lead under none: research", "researcher under lead: echo"]);
  });

  test("changes the task of a subagent, and refuses a delegation with the reason as the tool's result", async () => {
    const changing = createHooks();
    changing.on("subagent_start", (ctx) =>
      proceed({ taskDescription: `${ctx.taskDescription} quickly` }, { context: "be brief" }),
    );
    const changed = delegatingAgents(changing, ["found"]);
    await converse(changed.agent);
    expect(changed.subModel.inputs[0]?.[0]?.text).toMatch(/^find it quickly.*be brief/s);
    const refusing = createHooks();
    const events: string[] = [];
    refusing.on("subagent_start", () => block("do it yourself"));
    refusing.on(
      ["subagent_stop", "after_agent"],
      (ctx) => void events.push(`${ctx.event} ${ctx.agent?.name}`),
    );
    const refused = delegatingAgents(refusing, ["never"]);
    expect((await converse(refused.agent))[2]).toBe("tool: do it yourself");
    expect(refused.subModel.inputs).toHaveLength(0);
    expect(events).toEqual(["subagent_stop researcher", "after_agent lead"]);
  });

  test("keeps a subagent running by subagent_stop, and fires before_stop for both agents", async () => {
    const hooks = createHooks();
    const stops: string[] = [];
    hooks.on("before_stop", (ctx) => void stops.push(`before_stop ${ctx.agent?.name}`));
    hooks.on("subagent_stop", (ctx) => {
      stops.push(`subagent_stop ${ctx.subagentName}`);
      return ctx.result === "thin" ? block("dig deeper") : undefined;
    });
    const { agent, subModel } = delegatingAgents(hooks, ["thin", "thorough"]);
    expect((await converse(agent))[2]).toBe("tool: thorough");
    expect(subModel.inputs[1]?.at(-1)?.text).toBe("dig deeper");
    expect(stops).toEqual([
      ...["before_stop researcher", "subagent_stop researcher"],
      ...["before_stop researcher", "subagent_stop researcher"],
      "before_stop lead",
    ]);
  });

  test.each(["subagent_start", "subagent_stop"] as const)(
    "ends both runs that a hook stops at %s",
    async (event) => {
      const hooks = createHooks();
      hooks.on(event, () => stop("enough"));
      const { agent, model } = delegatingAgents(hooks, ["found"]);
      await expect(converse(agent)).rejects.toThrow("enough");
      expect(model.inputs).toHaveLength(1);
    },
  );

  test("ends both runs when a hook stops the subagent", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", (ctx) => (ctx.toolName === "echo" ? stop("enough") : undefined));
    const { agent, model, subModel } = delegatingAgents(hooks, [{ calls: [echoCall("a")] }, "never"]);
    await expect(converse(agent)).rejects.toThrow("enough");
    expect([model.inputs.length, subModel.inputs.length]).toEqual([1, 1]);
  });

  test("ends a subagent whose model is answering when a hook stops the run beside it", async () => {
    const hooks = createHooks({ report: () => undefined });
    const ended: unknown[] = [];
    let answer: () => void = () => {};
    const isAnswering = new Promise<void>((resolve) => {
      answer = resolve;
    });
    class SilentModel extends ScriptedModel {
      override _generate(): Promise<never> {
        answer();
        return new Promise(() => {});
      }
    }
    hooks.on("after_tool", (ctx) => (ctx.toolName === "stop" ? stop("enough") : undefined));
    hooks.on("after_llm", (ctx) => void ended.push(`${ctx.agent?.name} ${ctx.status}`));
    hooks.on("subagent_stop", (ctx) => void ended.push(ctx.stopReason));
    const middleware = [hooksMiddleware(hooks)];
    const helper = createAgent({ name: "helper", model: new SilentModel([]), tools: [], middleware });
    const schema = z.object({});
    let helping: Promise<unknown> | undefined;
    const ask = tool(
      async () => {
        helping = helper.invoke({ messages: [new HumanMessage("help")] });
        await helping;
      },
      { name: "ask", schema },
    );
    const model = new ScriptedModel([
      {
        calls: [
          { id: "1", name: "ask", input: {} },
          { id: "2", name: "stop", input: {} },
        ],
      },
    ]);
    const halt = tool(() => isAnswering, { name: "stop", schema });
    const agent = createAgent({ name: "lead", model, tools: [ask, halt], middleware });
    await expect(converse(agent)).rejects.toThrow("enough");
    await expect(helping).rejects.toThrow("enough");
    expect(ended).toEqual(["lead completed", "helper stopped", "stopped"]);
  });

  test("an agent of another framework in a tool has the bag of the run, and its stop ends that", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", (ctx) => {
      ctx.metadata.calls = Number(ctx.metadata.calls ?? 0) + 1;
      return ctx.metadata.calls === 3 ? stop("that was the third call") : undefined;
    });
    const executed: unknown[] = [];
    const call = (text: string) => ({ calls: [{ id: text, name: "note", input: { text } }] });
    const helper = new ToolLoopAgent(
      withHooks(
        {
          model: new MockLanguageModelV3(scriptMock([call("a"), call("b"), { text: "noted" }]) as never),
          tools: {
            note: sdkTool({
              inputSchema: jsonSchema<{ text: string }>({ type: "object" }),
              execute: ({ text }) => void executed.push(text),
            }),
          },
        },
        hooks,
      ),
    );
    const ask = tool(async () => (await helper.generate({ prompt: "help" })).text, {
      name: "ask",
      schema: z.object({}),
    });
    const model = new ScriptedModel([{ calls: [{ id: "1", name: "ask", input: {} }] }, "done"]);
    const agent = createAgent({ model, tools: [ask], middleware: [hooksMiddleware(hooks)] });
    await expect(converse(agent)).rejects.toThrow("that was the third call");
    expect([executed, model.inputs.length]).toEqual([["a"], 1]);
  });
});
