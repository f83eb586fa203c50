import type { GenerateResult, Part, StreamResult } from "./sdk-types.ts";

/** A whole answer that was streamed: the result as `doGenerate` would give it, and the parts that were written. */
export interface CollectedResult extends GenerateResult {
  readonly parts: readonly Part[];
  /** What `doStream` returned beside the stream. */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** Reads a stream to its end. Rejects with the error that the stream contains, after `onError` was called. */
export async function collectStream(
  { stream, ...extra }: StreamResult,
  onError: () => void,
): Promise<CollectedResult> {
  const collector = new PartCollector();
  for await (const part of stream) {
    if (part.type === "error") {
      onError();
      throw part.error;
    }
    collector.add(part);
  }
  return { ...collector.result, parts: collector.parts, extra };
}

/** Makes a result of the parts of a stream. */
export class PartCollector {
  readonly parts: Part[] = [];
  readonly #content: Part[] = [];
  readonly #texts = new Map<unknown, { type: string; text: string }>();
  #finish: Part | undefined;

  add(part: Part): void {
    this.parts.push(part);
    switch (part.type) {
      case "text-start":
      case "reasoning-start": {
        const text = { type: part.type === "text-start" ? "text" : "reasoning", text: "" };
        this.#texts.set(`${text.type} ${part.id}`, text);
        this.#content.push(text);
        break;
      }
      case "text-delta":
      case "reasoning-delta": {
        const type = part.type === "text-delta" ? "text" : "reasoning";
        const text = this.#texts.get(`${type} ${part.id}`);
        if (text !== undefined) text.text += String(part.delta);
        break;
      }
      case "tool-call":
      case "tool-result":
      case "file":
      case "source":
        this.#content.push(part);
        break;
      case "finish":
        this.#finish = part;
    }
  }

  get result(): GenerateResult {
    const {
      finishReason = { unified: "other" },
      usage,
      providerMetadata,
    } = this.#finish ?? { type: "finish" };
    return {
      content: this.#content,
      finishReason: finishReason as GenerateResult["finishReason"],
      usage,
      warnings: [],
      ...(providerMetadata !== undefined && { providerMetadata }),
    };
  }
}

/** Writes a result as a stream: the parts that were collected, where no hook changed it. */
export function writeStream(result: GenerateResult): StreamResult {
  const { parts, extra } = result as Partial<CollectedResult>;
  const stream = new ReadableStream<Part>({
    start(controller) {
      for (const part of parts ?? writeParts(result)) controller.enqueue(part);
      controller.close();
    },
  });
  return { ...extra, stream };
}

/** A stream that contains nothing but an error. */
export function writeError(error: Error): StreamResult {
  const stream = new ReadableStream<Part>({
    start(controller) {
      controller.enqueue({ type: "stream-start", warnings: [] });
      controller.enqueue({ type: "error", error });
      controller.close();
    },
  });
  return { stream };
}

/** The parts of one piece of content. */
export function writeContent(part: Part, id: string): readonly Part[] {
  if (part.type !== "text" && part.type !== "reasoning") return [part];
  return [
    { type: `${part.type}-start`, id },
    { type: `${part.type}-delta`, id, delta: part.text },
    { type: `${part.type}-end`, id },
  ];
}

export function writeParts({
  content,
  finishReason,
  usage,
  providerMetadata,
}: GenerateResult): readonly Part[] {
  return [
    { type: "stream-start", warnings: [] },
    ...content.flatMap((part, index) => writeContent(part, String(index))),
    { type: "finish", finishReason, usage, ...(providerMetadata !== undefined && { providerMetadata }) },
  ];
}

/** A changed result must not be written as its old parts. */
export function withoutParts(result: GenerateResult): GenerateResult {
  return "parts" in result ? { ...result, parts: undefined } : result;
}
