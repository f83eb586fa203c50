import { AIMessage, SystemMessage } from "@langchain/core/messages";
import { createHooks } from "@tenterhook/engine";
import { block, proceed, recover, skip, stop, TenterhookError } from "@tenterhook/protocol";
import { createAgent, providerStrategy, toolStrategy } from "langchain";
import { expect, describe as group, test } from "vitest";
import { z } from "zod";
import { hooksMiddleware } from "./middleware.ts";
import { converse, describe, echoCall, scriptedAgent } from "./testing/run-agent.ts";
import { ScriptedModel } from "./testing/scripted-model.ts";

group("model calls of a LangChain agent", () => {
  test("shows hooks the conversation, the system prompt, the tools and the model's name", async () => {
    const seen: unknown[] = [];
    const { agent } = scriptedAgent(
      [{ text: "thinking", calls: [echoCall("a")] }, "done"],
      (hooks) => {
        hooks.on("before_llm", (ctx) => void seen.push(ctx.messages, ctx.systemPrompt, ctx.tools, ctx.model));
      },
      { systemPrompt: "be brief" },
    );
    await converse(agent);
    expect(seen[4]).toEqual([
      { role: "system", content: [{ type: "text", text: "be brief" }] },
      { role: "user", content: "hello" },
      {
        role: "assistant",
        content: [
          { type: "text", text: "thinking" },
          { type: "tool-call", toolCallId: "call-1", toolName: "echo", input: { text: "a" } },
        ],
      },
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: "call-1",
            toolName: "echo",
            output: { type: "text", value: "echo: a" },
          },
        ],
      },
    ]);
    expect(seen[5]).toBe("be brief");
    expect(seen[6]).toMatchObject([
      { name: "echo", description: "Repeats a text", inputSchema: { type: "object" } },
      { name: "fail" },
    ]);
    expect(seen[7]).toBe("scripted");
  });

  test("sends what hooks changed: messages, system prompt and tools", async () => {
    const { agent, model } = scriptedAgent(
      ["done"],
      (hooks) => {
        hooks.on("before_llm", (ctx) =>
          proceed({
            messages: [...ctx.messages, { role: "user", content: "and quickly" }],
            tools: (ctx.tools ?? []).filter(({ name }) => name !== "fail"),
          }),
        );
        hooks.on("before_llm", () => proceed({ systemPrompt: "be kind" }));
      },
      { systemPrompt: "be brief" },
    );
    const conversation = await converse(agent);
    expect(describe(model.inputs[0] ?? [])).toEqual([
      "system: be kind",
      "human: hello",
      "human: and quickly",
    ]);
    expect(model.offered[0]).toMatchObject([{ name: "echo" }]);
    // What was sent to the model once is not part of the conversation.
    expect(conversation).toEqual(["human: hello", "ai: done"]);
  });

  test("offers the model a tool whose description a hook changed, and executes the registered tool", async () => {
    const { agent, model, executed } = scriptedAgent([{ calls: [echoCall("a")] }, "done"], (hooks) => {
      hooks.on("before_llm", (ctx) =>
        proceed({ tools: (ctx.tools ?? []).map((tool) => ({ ...tool, description: "careful" })) }),
      );
    });
    await converse(agent);
    expect(model.offered[0]?.[0]).toMatchObject({ function: { name: "echo", description: "careful" } });
    expect(executed).toEqual(["a"]);
  });

  test("calls the model that a hook chose from the option models, and refuses an unknown one", async () => {
    const other = new ScriptedModel(["from the other"]);
    const choose = (name: string) =>
      scriptedAgent(
        ["from the first"],
        (hooks) => void hooks.on("before_llm", () => proceed({ model: name })),
        {
          options: { models: { other } },
        },
      ).agent;
    expect(await converse(choose("other"))).toEqual(["human: hello", "ai: from the other"]);
    await expect(converse(choose("unknown"))).rejects.toThrow('"unknown"');
  });

  test("does not call the model when a hook gives the answer, and executes the tool calls in it", async () => {
    const { agent, model, executed } = scriptedAgent(["done"], (hooks) => {
      let calls = 0;
      hooks.on("before_llm", () =>
        calls++ === 0 ? skip({ text: "cached", toolUses: [echoCall("a")] }) : undefined,
      );
    });
    expect(await converse(agent)).toEqual(["human: hello", "ai: cached", "tool: echo: a", "ai: done"]);
    expect(model.inputs).toHaveLength(1);
    expect(executed).toEqual(["a"]);
  });

  test("fails the run with the reason when a hook refuses the model call", async () => {
    const { agent, model } = scriptedAgent(["done"], (hooks) => {
      hooks.on("before_llm", () => block("over budget"));
    });
    const failure = (await converse(agent).catch((error: unknown) => error)) as Error;
    expect(failure.message).toContain("over budget");
    expect(TenterhookError.isInstance(failure.cause) && failure.cause.code).toBe("model_call_refused");
    expect(model.inputs).toHaveLength(0);
  });

  test("uses the text and the tool calls that hooks changed in the answer", async () => {
    const { agent, executed } = scriptedAgent(
      [{ text: "old", calls: [echoCall("a", "1"), echoCall("b", "2")] }, "done"],
      (hooks) => {
        hooks.on("after_llm", (ctx) =>
          ctx.toolUses.length === 0 ? undefined : proceed({ text: "new", toolUses: ctx.toolUses.slice(1) }),
        );
      },
    );
    expect(await converse(agent)).toEqual(["human: hello", "ai: new", "tool: echo: b", "ai: done"]);
    expect(executed).toEqual(["b"]);
  });

  test("gives the reason of a refused answer to the model, and keeps the refused answer out of the conversation", async () => {
    const { agent, model, executed } = scriptedAgent(
      [{ text: "rude", calls: [echoCall("a")] }, "polite"],
      (hooks) => {
        hooks.on("after_llm", (ctx) => (ctx.text === "rude" ? block("be polite") : undefined));
      },
    );
    expect(await converse(agent)).toEqual(["human: hello", "ai: polite"]);
    expect(describe(model.inputs[1] ?? []).at(-1)).toBe("human: Your last answer was refused: be polite");
    expect(executed).toEqual([]);
  });

  test("gives up when hooks refuse every answer", async () => {
    const { agent, model } = scriptedAgent(["1", "2", "3", "4", "5"], (hooks) => {
      hooks.on("after_llm", () => block("no"));
    });
    await expect(converse(agent)).rejects.toThrow(/more than the limit/);
    expect(model.inputs).toHaveLength(4);
  });

  test("replaces an error of the model by the answer of a hook that recovers it", async () => {
    const { agent } = scriptedAgent([new Error("overloaded")], (hooks) => {
      hooks.on("on_error", (ctx) => recover(`sorry: ${ctx.error.message}`));
    });
    expect(await converse(agent)).toEqual(["human: hello", "ai: sorry: overloaded"]);
  });

  test("lets wrappers retry the model call and redirect it to another model", async () => {
    const other = new ScriptedModel(["from the other"]);
    const { agent, model } = scriptedAgent(
      [new Error("overloaded")],
      (hooks) => {
        hooks.around("around_llm", async (_ctx, next) => {
          try {
            return await next();
          } catch {
            return next({ model: "other" });
          }
        });
      },
      { options: { models: { other } } },
    );
    expect(await converse(agent)).toEqual(["human: hello", "ai: from the other"]);
    expect(model.inputs).toHaveLength(1);
  });

  test("ends the run when a hook on the answer stops it, before any tool runs", async () => {
    const { agent, executed } = scriptedAgent([{ calls: [echoCall("a")] }, "never"], (hooks) => {
      hooks.on("after_llm", () => stop("enough"));
    });
    await expect(converse(agent)).rejects.toThrow("enough");
    expect(executed).toEqual([]);
  });

  test("blocks by a failing guard, and continues if the hook's onError says so", async () => {
    const failing = (onError: "block" | "continue") =>
      scriptedAgent(["done"], (hooks) => {
        hooks.on(
          "before_llm",
          () => {
            throw new Error("broken");
          },
          { onError },
        );
      }).agent;
    await expect(converse(failing("block"))).rejects.toThrow("broken");
    expect(await converse(failing("continue"))).toEqual(["human: hello", "ai: done"]);
  });

  test("does not repeat a changed answer in the copies that providers keep of it", async () => {
    const original = new AIMessage({
      content: [
        { type: "reasoning", reasoning: "the secret is swordfish" },
        { type: "text", text: "it is swordfish" },
      ],
      additional_kwargs: { reasoning_content: "swordfish" },
      response_metadata: { output: [{ text: "it is swordfish" }], model_name: "m" },
    });
    const { agent } = scriptedAgent([original], (hooks) => {
      hooks.on("after_llm", () => proceed({ text: "it is hidden" }));
    });
    const { messages } = await agent.invoke({ messages: [{ role: "user", content: "hello" }] });
    expect(JSON.stringify(messages.at(-1))).not.toContain("swordfish");
    expect(messages.at(-1)?.response_metadata).toEqual({ model_name: "m" });
  });

  test("shows hooks a tool that the provider executes, and lets them take it away, which is all that hooks can do about it", async () => {
    const seen: unknown[] = [];
    const hooks = createHooks();
    hooks.on("before_tool", (ctx) => void seen.push(ctx.toolName));
    hooks.on("before_llm", (ctx) => {
      seen.push(ctx.tools);
      return ctx.messages.length > 1 ? proceed({ tools: [] }) : undefined;
    });
    const searched = new AIMessage({ content: [{ type: "server_tool_use", id: "1", name: "web_search" }] });
    const model = new ScriptedModel([searched, "done"]);
    const webSearch = { type: "web_search", max_uses: 1 };
    const agent = createAgent({ model, tools: [webSearch], middleware: [hooksMiddleware(hooks)] });
    const { messages } = await agent.invoke({ messages: [{ role: "user", content: "hello" }] });
    await agent.invoke({ messages });
    expect(seen).toEqual([[{ name: "web_search" }], [{ name: "web_search" }]]);
    expect(model.offered).toEqual([[webSearch], []]);
  });

  test("keeps a system message that is part of the conversation", async () => {
    const { agent, model } = scriptedAgent(["done"], (hooks) => {
      hooks.on("before_llm", (ctx) => proceed({ messages: [...ctx.messages] }));
    });
    await agent.invoke({
      messages: [new SystemMessage("be brief"), { role: "user", content: "hello" }] as never,
    });
    expect(describe(model.inputs[0] ?? [])).toEqual(["system: be brief", "human: hello"]);
  });
});

group("structured responses of a LangChain agent", () => {
  const schema = z.object({ city: z.string() });

  test("shows hooks the answer behind a structured response, and lets it through", async () => {
    const hooks = createHooks();
    const seen: string[] = [];
    hooks.on("after_llm", (ctx) => void seen.push(ctx.text));
    const agent = createAgent({
      model: new ScriptedModel(['{"city":"Bern"}']),
      tools: [],
      responseFormat: providerStrategy(schema),
      middleware: [hooksMiddleware(hooks)],
    });
    const result = await agent.invoke({ messages: [{ role: "user", content: "hello" }] });
    expect(result.structuredResponse).toEqual({ city: "Bern" });
    expect(seen).toEqual(['{"city":"Bern"}']);
  });

  test("does not let a changed text stand beside the structured response of the old one", async () => {
    const hooks = createHooks();
    hooks.on("after_llm", () => proceed({ text: '{"city":"Rome"}' }));
    const agent = createAgent({
      model: new ScriptedModel(['{"city":"Bern"}']),
      tools: [],
      responseFormat: providerStrategy(schema),
      middleware: [hooksMiddleware(hooks)],
    });
    await expect(converse(agent)).rejects.toThrow("structured response");
  });

  test("asks no hook of before_tool about the tool of a structured response, but after_llm sees its call", async () => {
    const hooks = createHooks();
    const seen: string[] = [];
    hooks.on("before_tool", (ctx) => void seen.push(`before_tool ${ctx.toolName}`));
    hooks.on("after_llm", (ctx) => void seen.push(...ctx.toolUses.map(({ name }) => name.slice(0, 8))));
    const model = new ScriptedModel([]);
    const strategy = toolStrategy(schema);
    const name = (strategy as unknown as { name: string }[])[0]?.name ?? "";
    const answering = new ScriptedModel([{ calls: [{ id: "1", name, input: { city: "Bern" } }] }]);
    const agent = createAgent({
      model: answering,
      tools: [],
      responseFormat: strategy,
      middleware: [hooksMiddleware(hooks)],
    });
    const result = await agent.invoke({ messages: [{ role: "user", content: "hello" }] });
    expect(result.structuredResponse).toEqual({ city: "Bern" });
    expect(seen).toEqual(["extract-"]);
    expect(model.inputs).toEqual([]);
  });
});
