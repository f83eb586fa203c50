import { messageOf, TenterhookError } from "@tenterhook/protocol";
import { abortable, abortError } from "./abort.ts";
import type { Model, ModelDelta, ModelRequest } from "./model.ts";
import { sdkAnswer } from "./sdk-answer.ts";
import { sdkTools } from "./sdk-tools.ts";
import { type SdkLanguageModel, wholeStreams } from "./whole-streams.ts";

export type { SdkLanguageModel };

type AiSdk = typeof import("ai");
type Call = Parameters<AiSdk["generateText"]>[0];

/**
 * A language model of the AI SDK behind our port: `aiSdkModel(anthropic("claude-…"))`. Every call is one step, without
 * retries and without running tools, because the agent does both under its hooks.
 */
export function aiSdkModel(model: SdkLanguageModel): Model {
  checkModel(model);
  const streaming = wholeStreams(model);
  return {
    modelId: model.modelId,
    provider: model.provider,

    generate: (request) =>
      abortable(request.signal, async (signal) => {
        const sdk = await aiSdk();
        const { steps } = await sdk.generateText(callOf(sdk, model, request, signal));
        return sdkAnswer(onlyStep(steps));
      }),

    stream: (request, emit) =>
      abortable(request.signal, async (signal) => {
        const sdk = await aiSdk();
        const result = sdk.streamText({ ...callOf(sdk, streaming, request, signal), onError: leaveToStream });
        for await (const part of result.fullStream) {
          if (signal.aborted) throw abortError(signal.reason);
          if (part.type === "error") throw asError(part.error);
          if (part.type === "abort") throw abortError(part.reason);
          tell(part, emit);
        }
        // The promises of a result reject, unhandled, with its stream; so they are touched only once that has gone well.
        return sdkAnswer(onlyStep(await result.steps));
      }),
  };
}

let loading: Promise<AiSdk> | undefined;

/** The SDK costs more to load than everything of ours, so that it is loaded with the first call. */
function aiSdk(): Promise<AiSdk> {
  loading ??= import("ai");
  return loading;
}

function callOf(sdk: AiSdk, model: SdkLanguageModel, request: ModelRequest, signal: AbortSignal): Call {
  const { messages, tools, outputSchema, settings } = request;
  const firstTurn = messages.findIndex((message) => message.role !== "system");
  const systemCount = firstTurn === -1 ? messages.length : firstTurn;
  const call = {
    ...settings,
    model,
    system: systemCount === 0 ? undefined : messages.slice(0, systemCount),
    messages: messages.slice(systemCount),
    // The conversation is the agent's own. A system message further down comes from a hook, not from a user.
    allowSystemInMessages: true,
    tools: sdkTools(sdk, tools),
    output: outputSchema === undefined ? undefined : rawOutput(sdk, outputSchema),
    maxRetries: 0,
    // The SDK's own default is one step too, but it warns when that cuts a tool loop short.
    stopWhen: () => true,
    abortSignal: signal,
  };
  // Messages and settings are the SDK's own shapes, which it checks itself.
  return call as Call;
}

/** Asks for the shape, takes the text: an answer of another shape is something to tell the model, not an exception. */
function rawOutput(sdk: AiSdk, schema: object) {
  const { responseFormat } = sdk.Output.object({ schema: sdk.jsonSchema(schema) });
  return { ...sdk.Output.text(), responseFormat };
}

function tell(part: { type: string; text?: string }, emit: (delta: ModelDelta) => void): void {
  // Empty deltas carry metadata of the provider, which the message has in the end.
  if (!part.text) return;
  if (part.type === "text-delta") emit({ type: "text", text: part.text });
  else if (part.type === "reasoning-delta") emit({ type: "reasoning", text: part.text });
}

function onlyStep<Step>(steps: readonly Step[]): Step {
  const step = steps.at(-1);
  if (step === undefined) throw new Error("The model gave no answer.");
  return step;
}

/** Without a listener the SDK prints errors to the console; the stream has them too. */
function leaveToStream(): void {}

/** Providers put plain objects and strings into their streams as errors. */
function asError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown;
  const { message } = Object(thrown) as { message?: unknown };
  return new Error(typeof message === "string" ? message : messageOf(thrown), { cause: thrown });
}

function checkModel(model: unknown): asserts model is SdkLanguageModel {
  if (typeof model === "string") {
    throw new TenterhookError("bad_agent", "a model's name alone is not a model.", {
      hint: 'Give a model object such as `anthropic("claude-…")`, or use modelFrom("anthropic:claude-…").',
    });
  }
  const { doGenerate, doStream } = Object(model) as { doGenerate?: unknown; doStream?: unknown };
  if (typeof doGenerate !== "function" || typeof doStream !== "function") {
    throw new TenterhookError("bad_agent", "this is not a language model of the AI SDK.", {
      hint: 'Give what a provider makes: `anthropic("claude-…")`, not `anthropic` itself.',
    });
  }
}
