import { Agent, type AgentInputItem, type Model, setTracingDisabled } from "@openai/agents";
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents/testing";

setTracingDisabled(true);

export { assistantMessage as say, ScriptedModel };

/** An answer of the model that calls a tool. */
export function call(name: string, input: Record<string, unknown>, callId = "c1") {
  return functionCall(name, input, { callId });
}

/** What the model was sent, call by call, in short. */
export function inputs(model: ScriptedModel): string[][] {
  return model.calls.map(({ request }) =>
    typeof request.input === "string" ? [`user: ${request.input}`] : request.input.map(shorten),
  );
}

function shorten(item: AgentInputItem): string {
  if (item.type === "function_call") return `call ${item.name} ${item.arguments}`;
  if (item.type === "function_call_result") return `result ${readOutput(item.output)}`;
  if (!("role" in item)) return item.type ?? "?";
  const text =
    typeof item.content === "string"
      ? item.content
      : item.content.map((part) => ("text" in part ? part.text : part.type)).join("");
  return `${item.role}: ${text}`;
}

function readOutput(output: unknown): string {
  if (typeof output === "string") return output;
  const { text } = Object(output) as { text?: string };
  return text ?? JSON.stringify(output);
}

export function agentWith(model: Model, tools: Agent["tools"] = [], name = "assistant"): Agent {
  return new Agent({ name, instructions: "Be short.", model, tools });
}
