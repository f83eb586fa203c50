import {
  Agent,
  type AgentInputItem,
  type Handoff,
  type Model,
  Runner,
  type RunResult,
  type StreamedRunResult,
  tool as sdkTool,
  setTracingDisabled,
} from "@openai/agents";
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents/testing";
import { type AdapterSupport, adapterSupport } from "@tenterhook/adapters";
import { hookedTool, withHooks } from "@tenterhook/adapters/openai-agents";
import type { EventName, Hooks } from "@tenterhook/engine";
import { z } from "zod";

setTracingDisabled(true);

/** The support table of this adapter. */
export const SUPPORT = adapterSupport().find(({ adapter }) => adapter === "openai-agents") as AdapterSupport;

export { assistantMessage as say, ScriptedModel };

/** Both ways to run an agent: every behaviour is the same in both. */
export const MODES = [{ stream: false }, { stream: true }];

/** Tools whose failures hooks see. */
export const tool = hookedTool(sdkTool);

/** An answer of the model that calls a tool. */
export function call(name: string, input: Record<string, unknown>, callId = "c1") {
  return functionCall(name, input, { callId });
}

/** A tool that records what it was called with. */
export function weather(runs: unknown[] = [], options: { needsApproval?: boolean } = {}) {
  return tool({
    name: "weather",
    description: "The weather of a city.",
    parameters: z.object({ city: z.string() }),
    ...options,
    execute: async ({ city }) => {
      runs.push(city);
      return `sunny in ${city}`;
    },
  });
}

/** A tool that always fails. */
export const broken = tool({
  name: "broken",
  description: "Fails.",
  parameters: z.object({}),
  execute: async (): Promise<string> => {
    throw new Error("no connection");
  },
});

export function agentWith(model: Model | string, tools: Agent["tools"] = [], name = "assistant"): Agent {
  return new Agent({ name, instructions: "Be short.", model, tools });
}

// biome-ignore lint/suspicious/noExplicitAny: the SDK's agents of different outputs are not assignable to each other.
export type AnyAgent = Agent<any, any>;
// biome-ignore lint/suspicious/noExplicitAny: as above.
export type AnyHandoff = Handoff<any, any>;

type Result = RunResult<unknown, AnyAgent> | StreamedRunResult<unknown, AnyAgent>;

/** Runs an agent with a runner that has the hooks, streaming or not, to its end. */
export async function runHooked(
  agent: AnyAgent,
  hooks: Hooks,
  {
    stream = false,
    input = "hi" as Parameters<Runner["run"]>[1],
    runner = withHooks(new Runner(), hooks),
    ...options
  } = {},
): Promise<Result> {
  if (!stream) return (await runner.run(agent, input as string, options)) as Result;
  const result = (await runner.run(agent, input as string, {
    ...options,
    stream: true,
  })) as StreamedRunResult<unknown, AnyAgent>;
  for await (const event of result) void event;
  await result.completed;
  return result;
}

/** What the model was sent, call by call, in short. */
export function inputs(model: ScriptedModel): string[][] {
  return model.calls.map(({ request }) =>
    typeof request.input === "string" ? [`user: ${request.input}`] : request.input.map(shorten),
  );
}

/** What the model was sent in its last call. */
export function lastInput(model: ScriptedModel): string[] {
  return inputs(model).at(-1) ?? [];
}

function shorten(item: AgentInputItem): string {
  if (item.type === "function_call") return `call ${item.name} ${item.arguments}`;
  if (item.type === "function_call_result") return `result ${readOutput(item.output)}`;
  if (!("role" in item)) return item.type ?? "?";
  const { content } = item;
  const text =
    typeof content === "string"
      ? content
      : content.map((part) => ("text" in part ? part.text : part.type)).join("");
  return `${item.role}: ${text}`;
}

function readOutput(output: unknown): string {
  if (typeof output === "string") return output;
  const { text } = Object(output) as { text?: string };
  return text ?? JSON.stringify(output);
}

/** Records the events of a set of hooks, in order, by a hook on each of them. */
export function record(hooks: Hooks, events: readonly EventName[]): string[] {
  const fired: string[] = [];
  for (const event of events) {
    hooks.on(
      event,
      ({ payload }) => {
        const { status } = payload as { status?: string };
        fired.push(status === undefined ? event : `${event} ${status}`);
      },
      { name: `record ${event}`, priority: 100 },
    );
  }
  return fired;
}

export const ALL: readonly EventName[] = [
  "before_agent",
  "after_agent",
  "agent_failed",
  "before_step",
  "after_step",
  "before_llm",
  "after_llm",
  "before_tool",
  "after_tool",
  "after_tool_failure",
  "before_stop",
  "subagent_start",
  "subagent_stop",
  "on_error",
];
