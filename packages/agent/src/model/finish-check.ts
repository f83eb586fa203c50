import type { LanguageModel } from "ai";

/** A language model object of the AI SDK, of any version of its interface. */
export type SdkLanguageModel = Exclude<LanguageModel, string>;

/** The part of a model's interface that is the same in all versions. */
interface StreamingModel {
  doStream(options: unknown): PromiseLike<{ stream: ReadableStream<StreamPart> }>;
}
type StreamPart = { type: string } | { type: "error"; error: unknown };

/**
 * The same model, except that a stream without a finish part ends with an error. The AI SDK would return an incomplete answer with
 * the finish reason `other`, and the agent would act on half a sentence.
 */
export function withFinishCheck(model: SdkLanguageModel): SdkLanguageModel {
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
