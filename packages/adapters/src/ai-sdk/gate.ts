import type { CallParams, GenerateResult, Part, PromptMessage } from "./sdk-types.ts";

/** The name of the tool through which hooks keep an agent running. The model is never offered it. */
export const GATE = "keep_running";

/** That tool, without its schema: the result is the feedback. */
export const GATE_TOOL = {
  description: "Keeps the agent running, with the feedback of a hook.",
  execute: (input: unknown) => (input as { readonly feedback: string }).feedback,
} as const;

export const GATE_SCHEMA = { type: "object", properties: { feedback: { type: "string" } } } as const;

let calls = 0;

/** A call of the gate, as a model's answer contains it. */
export function createGateCall(feedback: string): Part {
  const toolCallId = `${GATE}-${Date.now().toString(36)}-${++calls}`;
  return { type: "tool-call", toolCallId, toolName: GATE, input: JSON.stringify({ feedback }) };
}

/** The answer, continued by a call of the gate. */
export function addGateCall(result: GenerateResult, feedback: string): GenerateResult {
  const finishReason = gateReason(result.finishReason);
  return { ...result, content: [...result.content, createGateCall(feedback)], finishReason };
}

/** Why an answer ends that a call of the gate continues. */
export function gateReason(finishReason: unknown): GenerateResult["finishReason"] {
  return typeof finishReason === "string" ? "tool-calls" : { unified: "tool-calls", raw: undefined };
}

/** Whether the loop of the SDK accepts a call of the gate. */
export function canKeepRunning({ toolChoice }: CallParams): boolean {
  return toolChoice === undefined || toolChoice.type === "auto" || toolChoice.type === "required";
}

/** The request as the provider gets it: without the tool, and with the feedback as a message of the user. */
export function hideGate(params: CallParams): CallParams {
  const isOffered = params.tools?.some(({ name }) => name === GATE) === true;
  const isInPrompt = params.prompt.some(hasGate);
  if (!isOffered && !isInPrompt) return params;
  const { tools, toolChoice, ...rest } = params;
  const offered = tools?.filter(({ name }) => name !== GATE);
  const prompt = isInPrompt ? hideInPrompt(params.prompt) : params.prompt;
  if (offered === undefined || offered.length === 0) return { ...rest, prompt };
  return { ...rest, prompt, tools: offered, ...(toolChoice !== undefined && { toolChoice }) };
}

function isGatePart(part: Part): boolean {
  return part.toolName === GATE;
}

function hasGate({ content }: PromptMessage): boolean {
  return typeof content !== "string" && content.some(isGatePart);
}

function hideInPrompt(prompt: readonly PromptMessage[]): readonly PromptMessage[] {
  return prompt.flatMap((message) => {
    const { role, content } = message;
    if (typeof content === "string" || !content.some(isGatePart)) return [message];
    const others = content.filter((part) => !isGatePart(part));
    const kept = others.length === 0 ? [] : [{ ...message, content: others }];
    if (role === "tool") return kept;
    // The feedback of the call: its result is an error where the tools of the step were limited.
    const shown = content.filter(isGatePart).map(({ input }) => {
      const { feedback = "" } = Object(input) as { readonly feedback?: unknown };
      return { role: "user" as const, content: [{ type: "text", text: String(feedback) }] };
    });
    return [...kept, ...shown];
  });
}
