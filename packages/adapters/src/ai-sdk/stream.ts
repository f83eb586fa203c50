import { type ModelCall, type ModelEnd, offerError } from "@tenterhook/engine/host";
import { onAbort } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import { createGateCall, gateReason } from "./gate.ts";
import type { LoopRun } from "./loop-run.ts";
import type { CallParams, GenerateResult, Part, StreamResult } from "./sdk-types.ts";

/** The parts of an answer that was streamed, until a hook changes it: then it is another object. */
const collectedParts = new WeakMap<GenerateResult, readonly Part[]>();

/**
 * Reads a stream to its end: the result as `doGenerate` would give it, with what `doStream` returned beside the stream as `extra`. Rejects
 * with the error that the stream contains, after `onError` was called.
 */
export async function collectStream(
  { stream, ...extra }: StreamResult,
  onError: () => void,
): Promise<GenerateResult> {
  const parts: Part[] = [];
  for await (const part of stream) {
    if (part.type === "error") {
      onError();
      throw part.error;
    }
    parts.push(part);
  }
  const result = { ...readParts(parts), extra };
  collectedParts.set(result, parts);
  return result;
}

/** The result that the parts of a stream make. */
function readParts(parts: readonly Part[]): GenerateResult {
  const content: Part[] = [];
  const texts = new Map<string, { type: string; text: string }>();
  let finish: Part = { type: "finish" };
  for (const part of parts) {
    const [type = ""] = part.type.split("-", 1);
    switch (part.type) {
      case "text-start":
      case "reasoning-start": {
        const text = { type, text: "" };
        texts.set(`${type} ${part.id}`, text);
        content.push(text);
        break;
      }
      case "text-delta":
      case "reasoning-delta": {
        const text = texts.get(`${type} ${part.id}`);
        if (text !== undefined) text.text += String(part.delta);
        break;
      }
      case "tool-call":
      case "tool-result":
      case "file":
      case "source":
        content.push(part);
        break;
      case "finish":
        finish = part;
    }
  }
  const { finishReason = { unified: "other" }, usage, providerMetadata } = finish;
  return {
    content,
    finishReason: finishReason as GenerateResult["finishReason"],
    usage,
    warnings: [],
    ...(providerMetadata !== undefined && { providerMetadata }),
  };
}

/** Writes a result as a stream: the parts that were collected, where no hook changed it. */
export function writeStream(result: GenerateResult): StreamResult {
  const parts = collectedParts.get(result) ?? writeParts(result);
  return { ...(result.extra as object | undefined), stream: streamParts(parts) };
}

/** A stream that contains nothing but an error. */
export function writeError(error: Error): StreamResult {
  return {
    stream: streamParts([
      { type: "stream-start", warnings: [] },
      { type: "error", error },
    ]),
  };
}

function streamParts(parts: readonly Part[]): ReadableStream<Part> {
  return new ReadableStream<Part>({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}

/** The parts of a result, as a provider would stream it. */
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

/** The parts of one piece of content. */
function writeContent(part: Part, id: string): readonly Part[] {
  if (part.type !== "text" && part.type !== "reasoning") return [part];
  return [
    { type: `${part.type}-start`, id },
    { type: `${part.type}-delta`, id, delta: part.text },
    { type: `${part.type}-end`, id },
  ];
}

/** Why an answer failed: its stream broke, it contains an error, or hooks or the caller ended it. */
type StreamEnding = "broken" | "part" | "hooks";

/**
 * Shows an answer while it is written. Hooks are called when it is complete: tool calls and the end wait for them, text does not. `start`
 * calls the model; `askStop` gives the feedback of a hook that keeps the agent running. Rejects when the model fails before it answers.
 */
export async function showLive(
  loopRun: LoopRun,
  call: ModelCall<CallParams, GenerateResult>,
  start: () => PromiseLike<StreamResult>,
  askStop: (answer: GenerateResult) => Promise<string | undefined>,
): Promise<StreamResult> {
  const { run } = loopRun;
  const parts: Part[] = [];
  const calls: Part[] = [];
  /** Whether `after_llm` was not fired yet. */
  let isOpen = true;
  /** Lets the wrappers go on, which are around the whole answer. */
  let complete = () => {};
  const completed = new Promise<void>((resolve) => {
    complete = resolve;
  });
  let wrapped: Promise<unknown> = completed;
  let stopListening = () => {};

  /** Ends the call without an answer. Returns its error, as hooks have changed it. */
  const endFailed = async (thrown: unknown): Promise<unknown> => {
    isOpen = false;
    let error = thrown;
    try {
      run.check();
      const recovery = await offerError(run, thrown, { phase: "llm" });
      // No hook that may recover is registered: the answer would not be shown while it is written.
      if (recovery.type === "unrecovered") error = recovery.error;
    } catch (stopped) {
      error = stopped;
    }
    await call.fail();
    return error;
  };

  const started = new Promise<StreamResult>((resolve, reject) => {
    const operation = async () => {
      resolve(await start());
      await completed;
      return readParts(parts);
    };
    wrapped = call.wrap(operation).catch(reject);
  });
  const result = await started.catch(async (error: unknown) => {
    throw await endFailed(error);
  });

  const reader = result.stream.getReader();
  /** The last part of the answer, and what waited for it. */
  const finish = async (last: Part): Promise<readonly Part[]> => {
    stopListening();
    complete();
    await wrapped;
    const answer = readParts(parts);
    isOpen = false;
    checkShown(await call.end(answer), answer);
    const feedback = await askStop(answer);
    if (feedback === undefined) return [...calls, last];
    return [createGateCall(feedback), { ...last, finishReason: gateReason(last.finishReason) }];
  };
  /** Ends the call if it is open, and the run unless the framework calls the model again. Returns the error for the caller. */
  const fail = async (thrown: unknown, ending: StreamEnding = "hooks"): Promise<Error> => {
    stopListening();
    complete();
    const error = isOpen ? await endFailed(thrown) : thrown;
    if (ending === "broken") return loopRun.failStream(error);
    return ending === "part" ? loopRun.failPart(error) : loopRun.fail(error);
  };
  // A framework may leave the stream of an aborted run without reading or cancelling it.
  stopListening = onAbort(run.signal, () => void fail(run.signal.reason));

  let ending: StreamEnding = "hooks";
  const read = async (): Promise<readonly Part[] | undefined> => {
    const { done, value: part } = await reader.read().catch((error: unknown) => {
      ending = "broken";
      throw error;
    });
    if (done) return undefined;
    if (part.type === "error") {
      ending = "part";
      throw part.error;
    }
    parts.push(part);
    if (part.type === "finish") return finish(part);
    if (part.type !== "tool-call") return [part];
    // The SDK executes a tool as soon as it reads the call.
    calls.push(part);
    return [];
  };
  const stream = new ReadableStream<Part>({
    pull: async (controller) => {
      try {
        let shown = await read();
        // A pull that adds nothing is not repeated.
        while (shown?.length === 0) shown = await read();
        if (shown === undefined) controller.close();
        else for (const part of shown) controller.enqueue(part);
      } catch (thrown) {
        const error = await fail(thrown, ending);
        // A framework may try again after a stream that broke, and not after one that contains an error.
        if (ending === "broken") return controller.error(error);
        controller.enqueue({ type: "error", error });
        controller.close();
        await reader.cancel().catch(() => undefined);
      }
    },
    cancel: async (reason) => {
      await reader.cancel(reason).catch(() => undefined);
      await fail(reason);
    },
  });
  return { ...result, stream };
}

/** Throws where a hook that was registered while the answer was written refused or changed what has been shown: the run ends. */
function checkShown(end: ModelEnd<GenerateResult>, shown: GenerateResult): void {
  if (end.type === "answered" && end.response === shown) return;
  const what = end.type === "refused" ? `refused it: ${end.reason}` : "changed it";
  const problem = `the answer was being shown when an after_llm hook was registered, which ${what}.`;
  throw new TenterhookError("answer_refused", problem, { event: "after_llm" });
}
