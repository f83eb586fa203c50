import type { BaseMessage } from "@langchain/core/messages";
import type { Hooks } from "@tenterhook/engine";
import { block, proceed, skip } from "@tenterhook/protocol";
import { expect, describe as group, test } from "vitest";
import { echoCall, scriptedAgent } from "./testing/run-agent.ts";
import type { ScriptedAnswer } from "./testing/scripted-model.ts";

const start = { messages: [{ role: "user", content: "hello" }] };

/** The pieces of text that `streamMode: "messages"` shows of the model. */
async function streamText(
  script: readonly ScriptedAnswer[],
  register: (hooks: Hooks) => void,
): Promise<string[]> {
  const { agent } = scriptedAgent(script, register);
  const pieces: string[] = [];
  for await (const part of await agent.stream(start, { streamMode: "messages" })) {
    const [message] = part as unknown as [BaseMessage];
    if (message.getType() === "ai" && message.text !== "") pieces.push(message.text);
  }
  return pieces;
}

group("streams of a LangChain agent", () => {
  test("streams the text word by word while no hook may change it", async () => {
    const observe = (hooks: Hooks) => {
      hooks.on("before_llm", () => {});
      hooks.on("after_llm", () => {}, { observes: true });
    };
    expect(await streamText(["all is done"], observe)).toEqual(["all ", "is ", "done"]);
  });

  test("delays the text that a hook may change, and streams the changed one", async () => {
    const pieces = await streamText(
      [{ text: "calling", calls: [echoCall("a")] }, "the secret is swordfish"],
      (hooks) => {
        hooks.on("after_llm", (ctx) => proceed({ text: ctx.text.replace("swordfish", "…") }));
      },
    );
    expect(pieces).toEqual(["calling", "the secret is …"]);
  });

  test("streams nothing of an answer that hooks refused", async () => {
    const pieces = await streamText(["rude", "polite"], (hooks) => {
      hooks.on("after_llm", (ctx) => (ctx.text === "rude" ? block("be polite") : undefined));
    });
    expect(pieces).toEqual(["polite"]);
  });

  test("streams the answer of a hook that skipped the model", async () => {
    const pieces = await streamText([], (hooks) => void hooks.on("before_llm", () => skip("from the cache")));
    expect(pieces).toEqual(["from the cache"]);
  });

  test("shows streamEvents the changed text alone", async () => {
    const { agent } = scriptedAgent(["the secret is swordfish"], (hooks) => {
      hooks.on("after_llm", () => proceed({ text: "it is hidden" }));
    });
    const texts: unknown[] = [];
    for await (const { event, data } of agent.streamEvents(start, { version: "v2" })) {
      if (event.startsWith("on_chat_model")) texts.push(JSON.stringify(data));
    }
    expect(texts.length).toBeGreaterThan(0);
    expect(texts.join()).toContain("it is hidden");
    expect(texts.join()).not.toContain("swordfish");
  });

  test("shows the third version of streamEvents the changed text alone", async () => {
    const { agent } = scriptedAgent(["the secret is swordfish"], (hooks) => {
      hooks.on("after_llm", () => proceed({ text: "it is hidden" }));
    });
    let shown = "";
    for await (const event of await agent.streamEvents(start, { version: "v3" }))
      shown += JSON.stringify(event);
    expect(shown).toContain("it is hidden");
    expect(shown).not.toContain("swordfish");
  });

  test("gives the same conversation streamed and not streamed", async () => {
    const script = [{ calls: [echoCall("a")] }, "done"];
    const register = (hooks: Hooks) => {
      hooks.on("before_tool", () => proceed({ toolInput: { text: "b" } }));
      hooks.on("after_llm", (ctx) => (ctx.text === "" ? undefined : proceed({ text: "changed" })));
    };
    const invoked = await scriptedAgent(script, register).agent.invoke(start);
    let streamed: { messages: BaseMessage[] } = { messages: [] };
    const stream = await scriptedAgent(script, register).agent.stream(start, { streamMode: "values" });
    for await (const values of stream) streamed = values as never;
    expect(streamed.messages.map(({ text }) => text)).toEqual(invoked.messages.map(({ text }) => text));
    expect(streamed.messages.at(-1)?.text).toBe("changed");
  });
});
