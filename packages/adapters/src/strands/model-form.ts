import { isDeepStrictEqual } from "node:util";
import type * as sdk from "@strands-agents/sdk";
import { snapshot } from "@tenterhook/engine/host";
import { ownField } from "@tenterhook/internal";
import { type Message, TenterhookError, type ToolDefinition, type ToolUse } from "@tenterhook/protocol";
import type { AnswerChanges, ModelAnswer, ModelPort, ModelRequest, RequestChanges } from "../core/index.ts";
import type { AgentParts, Sdk } from "./invocation.ts";
import { readMessage, readText, readToolUses, writeMessages } from "./messages.ts";

/** What the model answered, and the events of the stream that have not been shown. Wrappers of the call get it. */
export interface StrandsAnswer extends ModelAnswer {
  readonly result: sdk.ModelResult;
  readonly events: readonly sdk.AgentStreamEvent[];
}

type Call = (context: sdk.InvokeModelContext) => Promise<StrandsAnswer>;

/** Translates between the model call of Strands and hooks. */
export class StrandsForm implements ModelPort<sdk.InvokeModelContext, StrandsAnswer> {
  readonly #parts: AgentParts;
  readonly #call: Call;
  #context: sdk.InvokeModelContext | undefined;
  /** What hooks were given for each message of the context, which Strands copies for each call. */
  #messages: readonly Message[] = [];

  constructor(parts: AgentParts, call: Call) {
    this.#parts = parts;
    this.#call = call;
  }

  readRequest(context: sdk.InvokeModelContext): ModelRequest {
    this.#context = context;
    const systemPrompt = readSystemPrompt(context.systemPrompt);
    const messages = context.messages.map(readMessage);
    this.#messages = messages;
    return {
      messages:
        systemPrompt === undefined ? messages : [{ role: "system", content: systemPrompt }, ...messages],
      tools: readTools(context),
      ...(systemPrompt !== undefined && { systemPrompt }),
      ...(context.model.modelId !== undefined && { model: context.model.modelId }),
    };
  }

  changeRequest(
    context: sdk.InvokeModelContext,
    { messages, tools, systemPrompt, model }: RequestChanges,
  ): sdk.InvokeModelContext {
    return {
      ...context,
      ...(messages !== undefined && { messages: this.#writeMessages(context, messages) }),
      ...(tools !== undefined && { toolSpecs: tools.map(writeTool) }),
      ...(systemPrompt !== undefined && { systemPrompt }),
      ...(model !== undefined && { model: this.#findModel(model) }),
    };
  }

  call(context: sdk.InvokeModelContext, model: string | undefined): Promise<StrandsAnswer> {
    return this.#call(model === undefined ? context : { ...context, model: this.#findModel(model) });
  }

  readAnswer(answer: StrandsAnswer): ModelAnswer {
    return answer;
  }

  changeAnswer({ result }: StrandsAnswer, changes: AnswerChanges): StrandsAnswer {
    const { sdk: sdkModule } = this.#parts;
    const message = changeMessage(sdkModule, result.message, changes);
    const changed = { ...result, message, stopReason: readStopReason(message, result.stopReason) };
    return readStrandsAnswer(changed, this.#describe(message));
  }

  createResponse(answer: ModelAnswer): StrandsAnswer {
    return createAnswer(this.#parts.sdk, this.#context as sdk.InvokeModelContext, answer);
  }

  /** In the last user message, because providers require that user and assistant take turns. */
  addFeedback(context: sdk.InvokeModelContext, feedback: string): sdk.InvokeModelContext {
    const { Message: MessageClass, TextBlock } = this.#parts.sdk;
    const block = new TextBlock(feedback);
    const last = context.messages.at(-1);
    const messages =
      last?.role === "user"
        ? [
            ...context.messages.slice(0, -1),
            new MessageClass({ role: "user", content: [...last.content, block] }),
          ]
        : [...context.messages, new MessageClass({ role: "user", content: [block] })];
    return { ...context, messages };
  }

  #writeMessages(context: sdk.InvokeModelContext, messages: readonly Message[]): sdk.Message[] {
    const known = new Map(this.#messages.map((message, index) => [message, context.messages[index]]));
    return writeMessages(this.#parts.sdk, withoutSystem(messages), known);
  }

  #findModel(name: string): sdk.Model {
    const model = ownField(this.#parts.options.models ?? {}, name);
    if (model !== undefined) return model;
    throw new TenterhookError(
      "unsupported_hook",
      `a hook chose the model "${name}", which is not known here.`,
      {
        event: "before_llm",
        hint: "Give the plugin the models that hooks may choose: { models: { name: model } }.",
      },
    );
  }

  #describe(message: sdk.Message): readonly sdk.AgentStreamEvent[] {
    return describeMessage(this.#parts.sdk, this.#context as sdk.InvokeModelContext, message);
  }
}

/** An answer that did not come from the model. */
export function createAnswer(
  sdkModule: Sdk,
  context: sdk.InvokeModelContext,
  { text, toolUses, usage }: ModelAnswer,
): StrandsAnswer {
  const content: sdk.ContentBlock[] = text === "" ? [] : [new sdkModule.TextBlock(text)];
  content.push(...toolUses.map((use) => writeToolUse(sdkModule, use)));
  const message = new sdkModule.Message({ role: "assistant", content });
  const result = { message, stopReason: readStopReason(message, "endTurn") };
  const events = describeMessage(sdkModule, context, message);
  return { result, events, text, toolUses, ...(usage !== undefined && { usage }) };
}

/** The answer of a call as hooks see it. */
export function readStrandsAnswer(
  result: sdk.ModelResult,
  events: readonly sdk.AgentStreamEvent[],
): StrandsAnswer {
  const { message, metadata } = result;
  const usage = metadata?.usage;
  return {
    result,
    events,
    text: readText(message),
    toolUses: readToolUses(message),
    ...(usage !== undefined && {
      usage: { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens },
    }),
  };
}

function readStopReason(message: sdk.Message, otherwise: string): string {
  if (message.content.some(({ type }) => type === "toolUseBlock")) return "toolUse";
  return otherwise === "toolUse" ? "endTurn" : otherwise;
}

/** The answer with the changes of hooks: what they did not change stays, in its place. */
function changeMessage(sdkModule: Sdk, message: sdk.Message, { text, toolUses }: AnswerChanges): sdk.Message {
  let isWritten = false;
  const written = new Set<string>();
  const content = message.content.flatMap((block): sdk.ContentBlock[] => {
    if (block.type === "textBlock" && text !== undefined) {
      if (isWritten) return [];
      isWritten = true;
      return text === "" ? [] : [new sdkModule.TextBlock(text)];
    }
    if (block.type !== "toolUseBlock" || toolUses === undefined) return [block];
    const use = toolUses.find(({ id }) => id === block.toolUseId);
    if (use === undefined) return [];
    written.add(use.id);
    const isSame = use.name === block.name && isDeepStrictEqual(use.input, block.input);
    return [isSame ? block : writeToolUse(sdkModule, use)];
  });
  if (text !== undefined && text !== "" && !isWritten) content.unshift(new sdkModule.TextBlock(text));
  for (const use of toolUses ?? []) if (!written.has(use.id)) content.push(writeToolUse(sdkModule, use));
  return Object.assign(new sdkModule.Message({ role: "assistant", content }), {
    ...(message.metadata !== undefined && { metadata: message.metadata }),
  });
}

function writeToolUse({ ToolUseBlock }: Sdk, { id, name, input }: ToolUse): sdk.ToolUseBlock {
  return new ToolUseBlock({ toolUseId: id, name, input: structuredClone(input) as sdk.JSONValue });
}

/** The events by which a stream shows a message that hooks changed or gave. */
function describeMessage(
  { ModelStreamUpdateEvent, ContentBlockEvent }: Sdk,
  { agent, invocationState }: sdk.InvokeModelContext,
  message: sdk.Message,
): sdk.AgentStreamEvent[] {
  const update = (event: object) => new ModelStreamUpdateEvent({ agent, invocationState, event });
  return message.content.flatMap((block): sdk.AgentStreamEvent[] => {
    const shown = new ContentBlockEvent({ agent, invocationState, contentBlock: block });
    const stop = update({ type: "modelContentBlockStopEvent" });
    if (block.type === "textBlock") {
      const delta = { type: "textDelta", text: block.text };
      return [
        update({ type: "modelContentBlockStartEvent" }),
        update({ type: "modelContentBlockDeltaEvent", delta }),
        stop,
        shown,
      ];
    }
    if (block.type !== "toolUseBlock") return [shown];
    const { name, toolUseId, input } = block;
    const delta = { type: "toolUseInputDelta", input: JSON.stringify(input) };
    return [
      update({ type: "modelContentBlockStartEvent", start: { type: "toolUseStart", name, toolUseId } }),
      update({ type: "modelContentBlockDeltaEvent", delta }),
      stop,
      shown,
    ];
  });
}

function readSystemPrompt(prompt: sdk.SystemPrompt | undefined): string | undefined {
  if (prompt === undefined || typeof prompt === "string") return prompt;
  return prompt.map((block) => (block.type === "textBlock" ? block.text : "")).join("");
}

function withoutSystem(messages: readonly Message[]): readonly Message[] {
  return messages[0]?.role === "system" ? messages.slice(1) : messages;
}

/** The tools that hooks were last given, by agent. */
const lastTools = new WeakMap<object, { readonly text: string; readonly tools: readonly ToolDefinition[] }>();

/** The tools as hooks see them. Strands copies them for each call; they are copied again only if they differ. */
function readTools({ agent, toolSpecs }: sdk.InvokeModelContext): readonly ToolDefinition[] {
  const text = JSON.stringify(toolSpecs);
  const last = lastTools.get(agent);
  if (last?.text === text) return last.tools;
  const tools = snapshot(toolSpecs.map(readTool));
  lastTools.set(agent, { text, tools });
  return tools;
}

function readTool({ name, description, inputSchema }: sdk.ToolSpec): ToolDefinition {
  return { name, description, ...(inputSchema !== undefined && { inputSchema }) };
}

function writeTool({ name, description = "", inputSchema }: ToolDefinition): sdk.ToolSpec {
  return { name, description, ...(inputSchema !== undefined && { inputSchema }) };
}
