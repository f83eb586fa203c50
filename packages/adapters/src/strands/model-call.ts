import { isDeepStrictEqual } from "node:util";
import type * as sdk from "@strands-agents/sdk";
import {
  type AnswerChanges,
  callModel,
  type HookedAnswer,
  type HostRun,
  type ModelPort,
  mayHaveOneOf,
  mayReplaceAnswer,
  snapshot,
  writableCopy,
} from "@tenterhook/engine/host";
import type { Message, ToolDefinition, ToolUse } from "@tenterhook/protocol";
import { drain, type Emit, findModel, relay } from "../core/index.ts";
import type { AgentParts, Invocation, Sdk } from "./invocation.ts";
import { readMessage, readText, readToolUses, writeMessages } from "./messages.ts";

type Result = { readonly result: sdk.ModelResult };
type Events = AsyncGenerator<sdk.AgentStreamEvent, Result, undefined>;

const EVENTS = ["before_llm", "after_llm", "on_error"] as const;

/** Whether hooks have something to do at a model call. */
export function concernsModelCall({ run, refusal }: Invocation): boolean {
  return refusal !== undefined || run.stopped?.by === "hook" || mayHaveOneOf(run.hooks, EVENTS, "around_llm");
}

/**
 * The model call with its hooks. A refused or stopped run gets its reason as the answer here, where no other plugin can reset it.
 * A text that hooks may still change is shown when they have seen it.
 */
export async function* callModelWithHooks(
  { parts, run, refusal, replaced }: Invocation,
  context: sdk.InvokeModelContext,
  next: (context: sdk.InvokeModelContext) => Events,
): Events {
  const answers: sdk.Message[] = [];
  const noteReplaced = ({ message }: sdk.ModelResult) => {
    for (const answer of answers) if (answer !== message) replaced.set(answer, message);
  };
  const end = async function* (text: string, stopReason: string): Events {
    const { events, result } = createAnswer(parts.sdk, context, { text, toolUses: [] });
    noteReplaced(result);
    for (const event of events) yield event;
    return { result: { ...result, stopReason } };
  };
  if (run.stopped?.by === "hook") return yield* end(formatStop(run), "cancelled");
  if (refusal !== undefined) return yield* end(refusal.reason, "endTurn");
  const isDelayed = await mayReplaceAnswer(run.hooks);
  const call = (emit: Emit<sdk.AgentStreamEvent> | undefined) => {
    const answer = async (changed: sdk.InvokeModelContext): Promise<StrandsAnswer> => {
      const events: sdk.AgentStreamEvent[] = [];
      const keep = async (event: sdk.AgentStreamEvent) => void events.push(event);
      const { result } = await drain(next(changed), emit ?? keep);
      answers.push(result.message);
      return readStrandsAnswer(result, events);
    };
    return callModel(run, context, createPort(parts, context, answer));
  };
  try {
    const { events, result } = isDelayed ? await call(undefined) : yield* relay(call);
    noteReplaced(result);
    for (const event of events) yield event;
    return { result };
  } catch (error) {
    const { stopped } = run;
    if (stopped === undefined) throw error;
    return yield* end(stopped.by === "hook" ? formatStop(run) : "Cancelled by user", "cancelled");
  }
}

/** Strands has put the model's own answers into the traces of the result. */
export function replaceAnswers(traces: readonly sdk.AgentTrace[], replaced: Invocation["replaced"]): void {
  for (const trace of traces) {
    if (trace.message !== null) trace.message = replaced.get(trace.message) ?? trace.message;
    replaceAnswers(trace.children, replaced);
  }
}

/** What the caller reads as the agent's last message after a hook stopped the run. */
export function formatStop({ stopped }: HostRun): string {
  return `The run was stopped: ${stopped?.error.message ?? "no reason given"}`;
}

/** What the model answered, and the events of the stream that have not been shown. Wrappers of the call get it. */
interface StrandsAnswer extends HookedAnswer {
  readonly result: sdk.ModelResult;
  readonly events: readonly sdk.AgentStreamEvent[];
}

/** Translates between one model call of Strands and hooks. */
function createPort(
  parts: AgentParts,
  original: sdk.InvokeModelContext,
  call: (context: sdk.InvokeModelContext) => Promise<StrandsAnswer>,
): ModelPort<sdk.InvokeModelContext, StrandsAnswer> {
  // What hooks are given for each message of the request, which Strands copies for each call.
  let known: ReadonlyMap<Message, sdk.Message> = new Map();
  return {
    readRequest({ messages, systemPrompt: prompt, model: { modelId } }) {
      known = new Map(messages.map((message) => [readMessage(message), message]));
      const systemPrompt = readSystemPrompt(prompt);
      const system: Message[] = systemPrompt === undefined ? [] : [{ role: "system", content: systemPrompt }];
      return {
        messages: [...system, ...known.keys()],
        tools: readTools(original),
        ...(systemPrompt !== undefined && { systemPrompt }),
        ...(modelId !== undefined && { model: modelId }),
      };
    },
    changeRequest: (context, { messages, tools, systemPrompt, model }) => ({
      ...context,
      ...(messages !== undefined && {
        messages: writeMessages(
          parts.sdk,
          messages[0]?.role === "system" ? messages.slice(1) : messages,
          known,
        ),
      }),
      ...(tools !== undefined && { toolSpecs: tools.map(writeTool) }),
      ...(systemPrompt !== undefined && { systemPrompt }),
      ...(model !== undefined && { model: findModel(parts.models, model) }),
    }),
    call: (context, model) =>
      call(model === undefined ? context : { ...context, model: findModel(parts.models, model) }),
    readAnswer: (answer) => answer,
    changeAnswer({ result }, changes) {
      const message = changeMessage(parts.sdk, result.message, changes);
      const changed = { ...result, message, stopReason: readStopReason(message, result.stopReason) };
      return readStrandsAnswer(changed, describeMessage(parts.sdk, original, message));
    },
    createResponse: (answer) => createAnswer(parts.sdk, original, answer),
    addFeedback: (context, feedback) => addFeedback(parts.sdk, context, feedback),
  };
}

/** In the last user message, because providers require that user and assistant take turns. */
function addFeedback(
  { Message: MessageClass, TextBlock }: Sdk,
  context: sdk.InvokeModelContext,
  feedback: string,
): sdk.InvokeModelContext {
  const last = context.messages.at(-1);
  const isUser = last?.role === "user";
  const content = [...(isUser ? last.content : []), new TextBlock(feedback)];
  const others = isUser ? context.messages.slice(0, -1) : context.messages;
  return { ...context, messages: [...others, new MessageClass({ role: "user", content })] };
}

/** An answer that did not come from the model. */
function createAnswer(
  sdkModule: Sdk,
  context: sdk.InvokeModelContext,
  { text, toolUses, usage }: HookedAnswer,
): StrandsAnswer {
  const content: sdk.ContentBlock[] = text === "" ? [] : [new sdkModule.TextBlock(text)];
  content.push(...toolUses.map((use) => writeToolUse(sdkModule, use)));
  const message = new sdkModule.Message({ role: "assistant", content });
  const result = { message, stopReason: readStopReason(message, "endTurn") };
  const events = describeMessage(sdkModule, context, message);
  return { result, events, text, toolUses, ...(usage !== undefined && { usage }) };
}

/** The answer of a call as hooks see it. */
function readStrandsAnswer(result: sdk.ModelResult, events: readonly sdk.AgentStreamEvent[]): StrandsAnswer {
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
  return new ToolUseBlock({ toolUseId: id, name, input: writableCopy(input) as sdk.JSONValue });
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
