import { isInstanceOf, messageOf, readable, readField } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import { abortable, abortError } from "./abort.ts";
import { type SdkLanguageModel, withFinishCheck } from "./finish-check.ts";
import type { Model, ModelDelta, ModelRequest } from "./model.ts";
import { sdkAnswer } from "./sdk-answer.ts";
import { sdkTools } from "./sdk-tools.ts";

export type { SdkLanguageModel };

type AiSdk = typeof import("ai");
type Call = Parameters<AiSdk["generateText"]>[0];

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
          if (part.type === "error") throw asError(part.error);
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

function emitDelta(part: { type: string; text?: string }, emit: (delta: ModelDelta) => void): void {
  // Empty deltas only carry provider metadata, which the final message has.
  if (!part.text) return;
  if (part.type === "text-delta") emit({ type: "text", text: part.text });
  else if (part.type === "reasoning-delta") emit({ type: "reasoning", text: part.text });
}

function onlyStep<Step>(steps: readonly Step[]): Step {
  const step = steps.at(-1);
  if (step === undefined) throw new Error("The model gave no answer.");
  return step;
}

/** Without a listener the SDK prints errors to the console; the stream also has them. */
function leaveToStream(): void {}

/** Providers put plain objects and strings into their streams as errors. */
function asError(thrown: unknown): Error {
  const cause = readable(thrown);
  if (isInstanceOf(cause, Error)) return cause;
  const message = readField(cause, "message");
  return new Error(typeof message === "string" ? message : messageOf(cause), { cause });
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
