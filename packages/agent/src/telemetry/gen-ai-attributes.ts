import { type Attributes, SpanKind } from "@opentelemetry/api";
import type { ModelSettings } from "../model/model.ts";
import type { AgentOperation, OperationFacts } from "../run/agent-instrument.ts";

/** The name of an operation's span, with low cardinality. */
export function spanName(operation: AgentOperation, { model }: OperationFacts = {}): string {
  switch (operation.type) {
    case "invoke_agent":
      return `invoke_agent ${operation.agent.name}`;
    case "chat":
      return `chat ${model ?? operation.model}`;
    case "execute_tool":
      return `execute_tool ${operation.toolName}`;
  }
}

/** Only model calls leave this process; agents and tools run here. */
export function spanKind({ type }: AgentOperation): SpanKind {
  return type === "chat" ? SpanKind.CLIENT : SpanKind.INTERNAL;
}

/** Attributes that are known at the start, so that samplers see them. */
export function startAttributes(operation: AgentOperation): Attributes {
  const named = { "gen_ai.operation.name": operation.type };
  switch (operation.type) {
    case "invoke_agent":
      return {
        ...named,
        ...modelAttributes(operation),
        "gen_ai.agent.id": operation.agent.id,
        "gen_ai.agent.name": operation.agent.name,
        "gen_ai.agent.description": operation.agent.description,
        "gen_ai.conversation.id": operation.sessionId,
      };
    case "chat":
      return {
        ...named,
        ...modelAttributes(operation),
        "gen_ai.conversation.id": operation.sessionId,
        "tenterhook.purpose": operation.purpose,
      };
    case "execute_tool":
      return {
        ...named,
        "gen_ai.tool.name": operation.toolName,
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.id": operation.toolUseId,
        "gen_ai.tool.description": operation.description,
      };
  }
}

/** Attributes that are known at the end, without content. */
export function endAttributes(facts: OperationFacts): Attributes {
  const { usage, settings, responseModel } = facts;
  const finishReason = finishReasonOf(facts);
  return {
    ...modelAttributes(facts),
    ...(settings !== undefined && settingAttributes(settings)),
    ...(facts.streams && { "gen_ai.request.stream": true }),
    ...(facts.wantsJson && { "gen_ai.output.type": "json" }),
    ...(finishReason !== undefined && { "gen_ai.response.finish_reasons": [finishReason] }),
    ...(responseModel !== undefined && { "gen_ai.response.model": responseModel }),
    ...(usage !== undefined && {
      "gen_ai.usage.input_tokens": usage.inputTokens,
      "gen_ai.usage.output_tokens": usage.outputTokens,
    }),
  };
}

/** The finish reason, with the values of the conventions; `error` if the model was called and did not answer. */
export function finishReasonOf({ finishReason, model }: OperationFacts): string | undefined {
  if (finishReason === "tool-calls") return "tool_call";
  if (finishReason === "content-filter") return "content_filter";
  return finishReason ?? (model === undefined ? undefined : "error");
}

function modelAttributes({ model, provider }: Pick<OperationFacts, "model" | "provider">): Attributes {
  return {
    ...(model !== undefined && { "gen_ai.request.model": model }),
    ...(provider !== undefined && { "gen_ai.provider.name": providerName(provider) }),
  };
}

/** Settings by their AI SDK names, with the attributes of the conventions. */
const SETTINGS = {
  temperature: "gen_ai.request.temperature",
  topP: "gen_ai.request.top_p",
  topK: "gen_ai.request.top_k",
  maxOutputTokens: "gen_ai.request.max_tokens",
  frequencyPenalty: "gen_ai.request.frequency_penalty",
  presencePenalty: "gen_ai.request.presence_penalty",
  seed: "gen_ai.request.seed",
} as const;

function settingAttributes(settings: ModelSettings): Attributes {
  const attributes: Attributes = {};
  for (const [setting, attribute] of Object.entries(SETTINGS)) {
    const value = settings[setting];
    if (typeof value === "number") attributes[attribute] = value;
  }
  return attributes;
}

/** Providers of the AI SDK that have another name in the conventions. */
const CONVENTIONAL_NAMES = new Map([
  ["amazon-bedrock", "aws.bedrock"],
  ["azure", "azure.ai.openai"],
  ["azure-openai", "azure.ai.openai"],
  ["bedrock", "aws.bedrock"],
  ["bedrock.anthropic", "aws.bedrock"],
  ["google", "gcp.gen_ai"],
  ["google.generative-ai", "gcp.gemini"],
  ["google.vertex", "gcp.vertex_ai"],
  ["mistral", "mistral_ai"],
  ["moonshotai", "moonshot_ai"],
  ["vertex.anthropic", "gcp.vertex_ai"],
  ["xai", "x_ai"],
]);

/** `openai.responses` is one API of the provider `openai`. */
const API_SUFFIX = /\.(chat|completion|messages|responses)$/;

/** The provider's name in the OpenTelemetry conventions (`gen_ai.provider.name`), or its own name. */
export function providerName(provider: string): string {
  const name = provider.replace(API_SUFFIX, "");
  return CONVENTIONAL_NAMES.get(name) ?? name;
}
