import { toError } from "@tenterhook/engine/host";
import { messageOf } from "@tenterhook/internal";
import { type Message, TenterhookError, type ToolDefinition, type Usage } from "@tenterhook/protocol";
import type { LanguageModel, StepResult, Tool, ToolSet } from "ai";
import { abortable, abortError } from "./abort.ts";
import type { Model, ModelAnswer, ModelDelta, ModelRequest, ModelToolCall } from "./model.ts";

/** A language model object of the AI SDK, of any version of its interface. */
export type SdkLanguageModel = Exclude<LanguageModel, string>;

type AiSdk = typeof import("ai");
type Call = Parameters<AiSdk["generateText"]>[0];
type JsonSchema = Parameters<AiSdk["jsonSchema"]>[0];
type Step = StepResult<ToolSet>;

/**
 * Adapts a language model of the AI SDK: `aiSdkModel(anthropic("claude-…"))`. Every call is one step, without retries and without
 * running tools, because the agent does both with its hooks.
 */
export function aiSdkModel(model: SdkLanguageModel): Model {
  checkModel(model);
  const streaming = withFinishCheck(model);
  return {
    modelId: model.modelId,
    provider: model.provider,

    generate: (request) =>
      abortable(request.signal, async (signal) => {
        const sdk = await aiSdk();
        const { steps } = await sdk.generateText(toCall(sdk, model, request, signal));
        return sdkAnswer(onlyStep(steps));
      }),

    stream: (request, emit) =>
      abortable(request.signal, async (signal) => {
        const sdk = await aiSdk();
        const result = sdk.streamText({ ...toCall(sdk, streaming, request, signal), onError: leaveToStream });
        for await (const part of result.fullStream) {
          if (signal.aborted) throw abortError(signal.reason);
          // Providers put plain objects and strings into their streams as errors.
          if (part.type === "error") throw toError(part.error);
          if (part.type === "abort") throw abortError(part.reason);
          emitDelta(part, emit);
        }
        // The promises of a result reject, unhandled, if its stream fails, so they are only read after the stream succeeded.
        return sdkAnswer(onlyStep(await result.steps));
      }),
  };
}

let loading: Promise<AiSdk> | undefined;

/** The SDK is slow to load, so it is loaded with the first call. */
function aiSdk(): Promise<AiSdk> {
  loading ??= import("ai");
  return loading;
}

function toCall(sdk: AiSdk, model: SdkLanguageModel, request: ModelRequest, signal: AbortSignal): Call {
  const { messages, tools, outputSchema, settings } = request;
  const firstOther = messages.findIndex((message) => message.role !== "system");
  const systemCount = firstOther === -1 ? messages.length : firstOther;
  const call = {
    ...settings,
    model,
    system: systemCount === 0 ? undefined : messages.slice(0, systemCount),
    messages: messages.slice(systemCount),
    // The agent owns the conversation: a later system message comes from a hook, not from a user.
    allowSystemInMessages: true,
    tools: sdkTools(sdk, tools),
    output: outputSchema === undefined ? undefined : rawOutput(sdk, outputSchema),
    maxRetries: 0,
    // The SDK's own default is one step too, but it warns when that cuts a tool loop short.
    stopWhen: () => true,
    abortSignal: signal,
  };
  // Messages and settings have the SDK's own types, which it validates itself.
  return call as Call;
}

/** Requests the schema, but takes the text: an answer that does not match is feedback for the model, not an exception. */
function rawOutput(sdk: AiSdk, schema: object) {
  const { responseFormat } = sdk.Output.object({ schema: sdk.jsonSchema(schema) });
  return { ...sdk.Output.text(), responseFormat };
}

/** The schema of a tool without input; providers require an object schema. */
const NO_INPUT = { type: "object", properties: {}, additionalProperties: false } as const;

/** Definitions as tools of the AI SDK, without `execute`: the SDK sends them and runs none of them. */
function sdkTools(sdk: AiSdk, definitions: readonly ToolDefinition[]): ToolSet | undefined {
  if (definitions.length === 0) return undefined;
  // Without a prototype: the SDK looks tools up by the model's name for them, and `toString` is not a tool.
  const tools: ToolSet = Object.create(null);
  for (const definition of definitions) tools[definition.name] = sdkTool(sdk, definition);
  return tools;
}

function sdkTool({ jsonSchema }: AiSdk, definition: ToolDefinition): Tool {
  // With a bare JSON Schema the SDK only checks that the input is JSON; the agent validates the rest.
  const inputSchema = jsonSchema((definition.inputSchema ?? NO_INPUT) as JsonSchema);
  // Definitions are open objects. A provider's own tool is passed complete, with all fields that the provider needs.
  if (definition.type === "provider") {
    const { execute: _neverRunByTheSdk, ...providerTool } = definition;
    return { ...providerTool, inputSchema } as Tool;
  }
  const { description, strict, inputExamples, providerOptions } = definition;
  return { description, strict, inputExamples, providerOptions, inputSchema } as Tool;
}

function emitDelta(part: { type: string; text?: string }, emit: (delta: ModelDelta) => void): void {
  // Empty deltas only carry provider metadata, which the final message has.
  if (!part.text) return;
  if (part.type === "text-delta") emit({ type: "text", text: part.text });
  else if (part.type === "reasoning-delta") emit({ type: "reasoning", text: part.text });
}

function onlyStep(steps: readonly Step[]): Step {
  const step = steps.at(-1);
  if (step === undefined) throw new Error("The model gave no answer.");
  return step;
}

type Executed = NonNullable<ModelToolCall["executed"]>;

/** One step of the AI SDK as a model's answer. */
function sdkAnswer(step: Step): ModelAnswer {
  return {
    text: step.text,
    toolCalls: toolCalls(step.content),
    // The SDK answers invalid calls itself, in a later tool message. The agent answers every call, so that message is dropped.
    message: step.response.messages.findLast((message) => message.role === "assistant") as
      | Message
      | undefined,
    usage: usage(step.usage),
    finishReason: step.finishReason,
    modelId: step.response.modelId,
  };
}

function toolCalls(content: Step["content"]): ModelToolCall[] {
  const results = new Map<string, Executed>();
  for (const part of content) {
    if (part.type === "tool-result") {
      results.set(part.toolCallId, { result: part.output, isError: false });
    } else if (part.type === "tool-error") {
      results.set(part.toolCallId, { result: part.error, isError: true });
    }
  }
  const calls: ModelToolCall[] = [];
  for (const part of content) {
    if (part.type !== "tool-call") continue;
    const { toolCallId: id, toolName: name, input, providerExecuted } = part;
    calls.push({
      id,
      name,
      input,
      invalid: part.invalid && !providerExecuted ? messageOf(part.error) : undefined,
      // A provider may send the result later, with another answer; there is nothing to run here in any case.
      executed: providerExecuted ? (results.get(id) ?? { result: undefined, isError: false }) : undefined,
    });
  }
  return calls;
}

/** Unknown is not zero: a budget that counts zeros never ends. If one count is known, the other defaults to zero. */
function usage({ inputTokens, outputTokens }: Step["usage"]): Usage | undefined {
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  return { inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0 };
}

/** Without a listener the SDK prints errors to the console; the stream also has them. */
function leaveToStream(): void {}

/** The part of a model's interface that is the same in all versions. */
interface StreamingModel {
  doStream(options: unknown): PromiseLike<{ stream: ReadableStream<StreamPart> }>;
}
type StreamPart = { type: string } | { type: "error"; error: unknown };

/**
 * The same model, except that a stream without a finish part ends with an error. The AI SDK would return an incomplete answer with
 * the finish reason `other`, and the agent would act on half a sentence.
 */
function withFinishCheck(model: SdkLanguageModel): SdkLanguageModel {
  const { doStream } = model as StreamingModel;
  const checked = {
    specificationVersion: model.specificationVersion,
    provider: model.provider,
    modelId: model.modelId,
    get supportedUrls() {
      return model.supportedUrls;
    },
    doGenerate: model.doGenerate.bind(model),
    async doStream(options: unknown) {
      const result = await doStream.call(model, options);
      return { ...result, stream: result.stream.pipeThrough(finishCheck()) };
    },
  };
  // It has every field of the interface; the version is the model's own.
  return checked as SdkLanguageModel;
}

function finishCheck(): TransformStream<StreamPart, StreamPart> {
  let ended = false;
  return new TransformStream({
    transform(part, controller) {
      ended ||= part.type === "finish" || part.type === "error";
      controller.enqueue(part);
    },
    flush(controller) {
      if (ended) return;
      controller.enqueue({ type: "error", error: new Error("The model's stream ended without a finish.") });
    },
  });
}

function checkModel(model: unknown): asserts model is SdkLanguageModel {
  if (typeof model === "string") {
    throw new TenterhookError("bad_agent", "a model's name alone is not a model.", {
      hint: 'Pass a model object such as `anthropic("claude-…")`, or use modelFrom("anthropic:claude-…").',
    });
  }
  const { doGenerate, doStream } = Object(model) as { doGenerate?: unknown; doStream?: unknown };
  if (typeof doGenerate !== "function" || typeof doStream !== "function") {
    throw new TenterhookError("bad_agent", "this is not a language model of the AI SDK.", {
      hint: 'Pass a model of a provider: `anthropic("claude-…")`, not `anthropic` itself.',
    });
  }
}
