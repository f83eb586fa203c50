import type { BaseMessage } from "@langchain/core/messages";
import type { Hooks } from "@tenterhook/engine";
import { createHooks } from "@tenterhook/engine";
import { createAgent, tool } from "langchain";
import { z } from "zod";
import { hooksMiddleware } from "../middleware.ts";
import type { LangChainOptions } from "../model-call.ts";
import { type ScriptedAnswer, ScriptedModel } from "./scripted-model.ts";

/** A call of the tool `echo`. */
export function echoCall(text: string, id = "call-1") {
  return { id, name: "echo", input: { text } };
}

/** An agent of LangChain with hooks, a script for its model and two tools: `echo`, which records its inputs, and `fail`, which throws. */
export function scriptedAgent(
  script: readonly ScriptedAnswer[],
  register: (hooks: Hooks) => void = () => {},
  { options = {}, ...settings }: { readonly options?: LangChainOptions } & Record<string, unknown> = {},
) {
  const hooks = createHooks();
  register(hooks);
  const executed: string[] = [];
  const echo = tool(
    ({ text }) => {
      executed.push(text);
      return `echo: ${text}`;
    },
    { name: "echo", description: "Repeats a text", schema: z.object({ text: z.string() }) },
  );
  const fail = tool(
    () => {
      throw new Error("disk full");
    },
    { name: "fail", schema: z.object({}) },
  );
  const model = new ScriptedModel(script);
  const agent = createAgent({
    model,
    tools: [echo, fail],
    middleware: [hooksMiddleware(hooks, options)],
    ...settings,
  });
  return { agent, model, hooks, executed };
}

/** What a message says, for comparisons: `ai: text`, `tool error: text`. */
export function describe(messages: readonly BaseMessage[]): string[] {
  return messages.map((message) => {
    const { status } = message as { status?: string };
    return `${message.getType()}${status === "error" ? " error" : ""}: ${message.text}`;
  });
}

/** Runs it with one user message, and describes the conversation. */
export async function converse(
  agent: { invoke(state: never, config?: never): Promise<unknown> },
  config?: object,
  text = "hello",
): Promise<string[]> {
  const state = { messages: [{ role: "user", content: text }] };
  const { messages } = (await agent.invoke(state as never, config as never)) as { messages: BaseMessage[] };
  return describe(messages);
}
