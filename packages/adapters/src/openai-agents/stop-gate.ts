import { randomUUID } from "node:crypto";
import type { EventName } from "@tenterhook/protocol";
import { parseInput } from "../core/index.ts";
import { toCall } from "./model-answer.ts";
import type { FunctionTool, Item } from "./sdk.ts";

/** The name of the tool by which hooks keep an agent running. It is part of histories, so it must not change. */
const GATE_NAME = "hooks_feedback";

/** The events of hooks that may keep an agent running. */
export const GATE_EVENTS: readonly EventName[] = ["before_stop", "subagent_stop"];

/**
 * A run of the SDK ends with an answer that calls no tool. To keep it running, a call of this tool is added to the answer: its
 * result is the feedback. The model is never offered it, and reads the feedback as a message of the user.
 */
export const GATE_TOOL: FunctionTool & Readonly<Record<string, unknown>> = Object.freeze({
  type: "function",
  name: GATE_NAME,
  description: "Feedback of hooks that keep the agent running.",
  parameters: {
    type: "object",
    properties: { feedback: { type: "string" } },
    required: ["feedback"],
    additionalProperties: false,
  },
  strict: true,
  deferLoading: false,
  invoke: async (_context: unknown, input: string) => String(parseInput(input).feedback),
  needsApproval: async () => false,
  isEnabled: async () => true,
  timeoutMs: undefined,
  inputGuardrails: [],
  outputGuardrails: [],
});

/** The tools that the model is offered: the same list if the gate's is not among them. */
export function removeGate<T extends { readonly name: string }>(tools: readonly T[]): readonly T[] {
  const offered = tools.filter(({ name }) => name !== GATE_NAME);
  return offered.length === tools.length ? tools : offered;
}

/** The output of an answer, with the feedback that keeps the agent running. */
export function addGateCall(output: readonly Item[], feedback: string): readonly Item[] {
  return [...output, toCall({ id: `hooks_${randomUUID()}`, name: GATE_NAME, input: { feedback } })];
}

/** The conversation as the model reads it: feedback is a message of the user. */
export function replaceGateCalls(input: string | readonly Item[]): string | readonly Item[] {
  if (typeof input === "string" || !input.some(isGateItem)) return input;
  const calls = new Map<unknown, string>();
  return input.flatMap((item) => {
    if (!isGateItem(item)) return [item];
    if (item.type === "function_call") {
      calls.set(item.callId, String(parseInput(item.arguments).feedback));
      return [];
    }
    // A conversation that the provider stores contains only the result.
    const content = calls.get(item.callId) ?? readOutput(item.output);
    return [{ type: "message", role: "user", content }];
  });
}

function isGateItem({ type, name }: Item): boolean {
  return name === GATE_NAME && (type === "function_call" || type === "function_call_result");
}

function readOutput(output: unknown): string {
  if (typeof output === "string") return output;
  const { text } = Object(output) as { readonly text?: unknown };
  return typeof text === "string" ? text : JSON.stringify(output);
}
