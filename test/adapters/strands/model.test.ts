import { BeforeModelCallEvent, type Plugin } from "@strands-agents/sdk";
import { block, createHooks, type Hooks, proceed, recover, skip, stop } from "@tenterhook/engine";
import { TenterhookError } from "@tenterhook/protocol";
import { describe, expect, test } from "vitest";
import { ScriptedModel } from "./scripted-model.ts";
import { callThen, hookedAgent, readStream, readTexts, recordEvents } from "./testing.ts";

describe("a model call", () => {
  test("is made with the messages, the system prompt and the tools that hooks leave", async () => {
    const hooks = createHooks();
    hooks.on("before_llm", ({ messages }) =>
      proceed({
        messages: [...messages, { role: "user", content: "and be brief" }],
        systemPrompt: "Changed.",
        tools: [],
      }),
    );
    const { agent, model } = hookedAgent(hooks, ["hello"], { systemPrompt: "Original." });
    await agent.invoke("hi");
    const [request] = model.requests;
    expect(readTexts(request?.messages ?? [])).toEqual(["user: hi", "user: and be brief"]);
    expect([request?.system, request?.tools]).toEqual(["Changed.", []]);
    expect(readTexts(agent.messages)).toEqual(["user: hi", "assistant: hello"]);
  });

  test("shows hooks the system prompt, the tools and the model's name", async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.on("before_llm", ({ messages, systemPrompt, tools, model }) => {
      seen.push([messages, systemPrompt, tools?.map(({ name }) => name), model]);
    });
    const { agent } = hookedAgent(hooks, ["hello"], { systemPrompt: "Original." });
    await agent.invoke("hi");
    expect(seen).toEqual([
      [
        [
          { role: "system", content: "Original." },
          { role: "user", content: "hi" },
        ],
        "Original.",
        ["shell"],
        "scripted",
      ],
    ]);
  });

  test("goes to another model that a hook chooses by name, and fails for an unknown name", async () => {
    const other = new ScriptedModel(["from the other"]);
    const hooks = createHooks();
    let name = "other";
    hooks.on("before_llm", () => proceed({ model: name }));
    const { agent, model } = hookedAgent(hooks, ["hello"], { options: { models: { other } } });
    expect(String(await agent.invoke("hi"))).toContain("from the other");
    expect(model.requests).toEqual([]);
    name = "unknown";
    await expect(agent.invoke("hi")).rejects.toThrow('the model "unknown"');
  });

  test.each<[string, (hooks: Hooks) => unknown]>([
    ["a hook changed", (hooks) => hooks.on("after_llm", () => proceed({ text: "It is hidden." }))],
    [
      "a hook refused",
      (hooks) =>
        hooks.on("after_llm", ({ text }) => (text.includes("1234") ? block("no passwords") : undefined)),
    ],
    [
      "a wrapper replaced",
      (hooks) =>
        hooks.around("around_llm", (_call, next) =>
          next().then(() => ({ text: "It is hidden.", toolUses: [] })),
        ),
    ],
    ["a hook stopped the run at", (hooks) => hooks.on("after_llm", () => stop("no passwords"))],
  ])("leaves no text in the traces of the result that %s", async (_what, register) => {
    const hooks = createHooks();
    register(hooks);
    const { agent } = hookedAgent(hooks, ["The password is 1234.", "It is hidden."]);
    const traces = JSON.stringify((await agent.invoke("hi")).traces);
    expect(traces).not.toContain("1234");
    expect(traces).toMatch(/It is hidden|no passwords/);
  });

  test("is skipped with the answer of a hook", async () => {
    const hooks = createHooks();
    hooks.on("before_llm", () => skip("from the cache"));
    const { agent, model } = hookedAgent(hooks, []);
    const result = await agent.invoke("hi");
    expect([result.toString(), model.requests.length]).toEqual(["from the cache", 0]);
    expect(readTexts(agent.messages)).toEqual(["user: hi", "assistant: from the cache"]);
  });

  test("fails the run when a hook refuses it, where Strands' own cancellation would be an answer", async () => {
    const hooks = createHooks();
    hooks.on("before_llm", () => block("no budget"), { name: "budget" });
    const { agent, model } = hookedAgent(hooks, ["hello"]);
    const error = await agent.invoke("hi").catch((thrown: unknown) => thrown);
    expect(TenterhookError.isInstance(error) && error.code).toBe("model_call_refused");
    expect(model.requests).toEqual([]);

    const cancel: Plugin = {
      name: "cancel",
      initAgent: (other) =>
        void other.addHook(BeforeModelCallEvent, (event) => {
          event.cancel = "no budget";
        }),
    };
    const plain = hookedAgent(createHooks(), ["hello"], { plugins: [cancel] });
    expect(String(await plain.agent.invoke("hi"))).toContain("no budget");
  });

  test("does not happen after a hook stopped the run", async () => {
    const hooks = createHooks();
    hooks.on("before_llm", () => stop("enough"));
    const { agent, model } = hookedAgent(hooks, ["hello"]);
    const result = await agent.invoke("hi");
    expect([result.stopReason, model.requests.length]).toEqual(["cancelled", 0]);
    expect(result.toString()).toMatch(/enough/);
  });

  test("that fails is answered by a hook, else the run fails with the error", async () => {
    const error = new Error("overloaded");
    const hooks = createHooks();
    const { agent } = hookedAgent(hooks, [{ error }, { error }]);
    await expect(agent.invoke("hi")).rejects.toThrow("overloaded");
    hooks.on("on_error", ({ phase }) => (phase === "llm" ? recover("later, please") : undefined));
    expect(String(await agent.invoke("hi"))).toContain("later, please");
  });

  test("is called again by a wrapper, and answered by it", async () => {
    const hooks = createHooks();
    hooks.around("around_llm", async (_context, next) => {
      await next().catch(() => undefined);
      const answer = (await next()) as { text: string };
      return `${answer.text}!`;
    });
    const { agent, model } = hookedAgent(hooks, [{ error: new Error("once") }, "hello"]);
    expect(String(await agent.invoke("hi"))).toContain("hello!");
    expect(model.requests.length).toBe(2);
  });
});

describe("an answer", () => {
  test("is changed in the result and in the conversation", async () => {
    const hooks = createHooks();
    hooks.on("after_llm", ({ text }) => proceed({ text: text.replace("secret", "…") }));
    const { agent } = hookedAgent(hooks, ["the secret word"]);
    expect(String(await agent.invoke("hi"))).toContain("the … word");
    expect(readTexts(agent.messages)).toEqual(["user: hi", "assistant: the … word"]);
  });

  test("loses, gets and changes tool calls", async () => {
    const hooks = createHooks();
    hooks.on("after_llm", ({ toolUses }) => {
      if (toolUses.length === 0) return undefined;
      const [first] = toolUses;
      return proceed({
        toolUses: [
          { ...(first as (typeof toolUses)[0]), input: { command: "changed" } },
          { id: "new", name: "shell", input: { command: "added" } },
        ],
      });
    });
    const calls = ["a", "b"].map((command) => ({ name: "shell", input: { command } }));
    const { agent, runs } = hookedAgent(hooks, [{ text: "well", calls }, "done"]);
    await agent.invoke("hi");
    expect(runs).toEqual(["changed", "added"]);
  });

  test("without its tool calls ends the turn", async () => {
    const hooks = createHooks();
    hooks.on("after_llm", () => proceed({ toolUses: [], text: "nothing to do" }));
    const { agent, runs } = hookedAgent(hooks, callThen("ls"));
    const result = await agent.invoke("hi");
    expect([runs, result.stopReason, result.toString()]).toEqual([[], "endTurn", "nothing to do"]);
  });

  test("is refused with the reason, and the refused text is in no conversation", async () => {
    const hooks = createHooks();
    hooks.on("after_llm", ({ text }) => (text.includes("rude") ? block("be polite") : undefined));
    const { agent, model } = hookedAgent(hooks, ["rude words", "dear friend"]);
    expect(String(await agent.invoke("hi"))).toContain("dear friend");
    expect(readTexts(model.requests[1]?.messages ?? [])).toEqual([
      "user: hi",
      "user: Your last answer was refused: be polite",
    ]);
    expect(readTexts(agent.messages)).toEqual(["user: hi", "assistant: dear friend"]);
  });

  test("is refused with the reason, also where a hook changes every request", async () => {
    const hooks = createHooks();
    const asked: string[] = [];
    hooks.on("before_llm", ({ messages }) => {
      asked.push(JSON.stringify(messages.at(-1)));
      return proceed({ systemPrompt: "be short" });
    });
    hooks.on("after_llm", ({ text }) => (text.includes("rude") ? block("be polite") : undefined));
    const { agent, model } = hookedAgent(hooks, ["rude words", "dear friend"]);
    expect(String(await agent.invoke("hi"))).toContain("dear friend");
    expect(readTexts(model.requests[1]?.messages ?? []).at(-1)).toContain("be polite");
    expect(asked.map((last) => last.includes("be polite"))).toEqual([false, true]);
  });

  test("that is refused again and again fails the run", async () => {
    const hooks = createHooks();
    hooks.on("after_llm", () => block("no"));
    const { agent, model } = hookedAgent(hooks, ["a", "b", "c", "d", "e"], { options: { maxRefusals: 2 } });
    await expect(agent.invoke("hi")).rejects.toThrow("more than the limit");
    expect(model.requests.length).toBe(3);
  });
});

describe("a stream", () => {
  test("shows the text while it is written if no hook may change it", async () => {
    const hooks = createHooks();
    const atFirst: string[] = [];
    hooks.on("before_llm", () => undefined);
    hooks.on("after_llm", () => void atFirst.push("after"), { observes: true });
    const { agent } = hookedAgent(hooks, ["one two three"]);
    for await (const event of agent.stream("hi")) {
      if (event.type === "modelStreamUpdateEvent" && event.event.type === "modelContentBlockDeltaEvent")
        atFirst.push("piece");
    }
    expect(atFirst).toEqual(["piece", "piece", "piece", "after"]);
  });

  test("shows only the text that hooks left", async () => {
    const hooks = createHooks();
    hooks.on("after_llm", ({ text }) => {
      if (text.includes("rude")) return block("be polite");
      return text.includes("secret") ? proceed({ text: "the word" }) : undefined;
    });
    const { agent } = hookedAgent(hooks, ["rude words", "the secret word"]);
    expect(await readStream(agent.stream("hi"))).toBe("the word");
  });

  test("fires the same events as a run without one", async () => {
    const plain = recordEvents();
    await hookedAgent(plain.hooks, callThen("ls")).agent.invoke("list");
    const streamed = recordEvents();
    await readStream(hookedAgent(streamed.hooks, callThen("ls")).agent.stream("list"));
    expect(streamed.fired).toEqual(plain.fired);
  });

  test("whose reader leaves ends the run as stopped, and the agent can be called again", async () => {
    const hooks = createHooks();
    const ends: string[] = [];
    hooks.on("before_llm", () => undefined);
    hooks.on("after_agent", ({ status }) => void ends.push(status));
    const { agent } = hookedAgent(hooks, ["one two three", "again"]);
    for await (const event of agent.stream("hi")) if (event.type === "modelStreamUpdateEvent") break;
    expect(ends).toEqual(["stopped"]);
    expect(String(await agent.invoke("hi"))).toContain("again");
    expect(ends).toEqual(["stopped", "completed"]);
  });
});
