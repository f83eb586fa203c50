import { onAbort } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import { type ModelCall, type ModelEnd, offerError } from "../core/index.ts";
import { createGateCall, gateReason } from "./gate.ts";
import type { ModelRun } from "./model-run.ts";
import type { CallParams, GenerateResult, Part, StreamResult } from "./sdk-types.ts";
import { PartCollector } from "./stream-parts.ts";

/** Why an answer failed: its stream broke, it contains an error, or hooks or the caller ended it. */
type StreamEnding = "broken" | "part" | "hooks";

/** An answer that is shown while it is written. Hooks are called when it is complete: tool calls and the end wait for
 * them, text does not. */
export class LiveStream {
  readonly #modelRun: ModelRun;
  readonly #call: ModelCall<CallParams, GenerateResult>;
  readonly #collector = new PartCollector();
  readonly #calls: Part[] = [];
  #complete: () => void = () => {};
  #wrapped: Promise<unknown> = Promise.resolve();
  #hasFailed = false;
  /** Whether `after_llm` was fired. */
  #hasAnswered = false;
  #stopListening: () => void = () => {};

  constructor(modelRun: ModelRun, call: ModelCall<CallParams, GenerateResult>) {
    this.#modelRun = modelRun;
    this.#call = call;
  }

  /** Starts the call inside the wrappers, which wait until the answer is complete. Rejects when the model fails. */
  async open(start: () => PromiseLike<StreamResult>): Promise<StreamResult> {
    const completed = new Promise<void>((resolve) => {
      this.#complete = resolve;
    });
    try {
      return await new Promise<StreamResult>((resolve, reject) => {
        this.#wrapped = this.#call
          .wrap(async () => {
            resolve(await start());
            await completed;
            return this.#collector.result;
          })
          .catch(reject);
      });
    } catch (error) {
      throw await this.#offer(error);
    }
  }

  /** The same parts. `askStop` gives the feedback of a hook that keeps the agent running. */
  follow(
    stream: ReadableStream<Part>,
    askStop: (answer: GenerateResult) => Promise<string | undefined>,
  ): ReadableStream<Part> {
    const reader = stream.getReader();
    const { signal } = this.#modelRun.run;
    // A framework may leave the stream of an aborted run without reading or cancelling it.
    this.#stopListening = onAbort(signal, () => void this.#fail(signal.reason));
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
      this.#collector.add(part);
      if (part.type === "finish") return this.#finish(part, askStop);
      if (part.type !== "tool-call") return [part];
      // The SDK executes a tool as soon as it reads the call.
      this.#calls.push(part);
      return [];
    };
    return new ReadableStream<Part>({
      pull: async (controller) => {
        try {
          let parts = await read();
          // A pull that adds nothing is not repeated.
          while (parts?.length === 0) parts = await read();
          if (parts === undefined) controller.close();
          else for (const part of parts) controller.enqueue(part);
        } catch (error) {
          const failure = await this.#fail(error, ending);
          // A framework may try again after a stream that broke, and not after one that contains an error.
          if (ending === "broken") return controller.error(failure);
          controller.enqueue({ type: "error", error: failure });
          controller.close();
          await reader.cancel().catch(() => undefined);
        }
      },
      cancel: async (reason) => {
        await reader.cancel(reason).catch(() => undefined);
        await this.#fail(reason);
      },
    });
  }

  async #finish(
    last: Part,
    askStop: (answer: GenerateResult) => Promise<string | undefined>,
  ): Promise<readonly Part[]> {
    this.#stopListening();
    this.#complete();
    await this.#wrapped;
    const { result } = this.#collector;
    this.#hasAnswered = true;
    checkShown(await this.#call.end(result), result);
    const feedback = await askStop(result);
    if (feedback === undefined) return [...this.#calls, last];
    return [createGateCall(feedback), { ...last, finishReason: gateReason(last.finishReason) }];
  }

  /** Ends the call, and the run unless the framework calls the model again. Returns the error for the caller. */
  async #fail(thrown: unknown, ending: StreamEnding = "hooks"): Promise<Error> {
    this.#stopListening();
    this.#complete();
    const isOpen = !this.#hasFailed && !this.#hasAnswered;
    this.#hasFailed = true;
    const error = isOpen ? await this.#offer(thrown) : thrown;
    if (ending === "broken") return this.#modelRun.failStream(error);
    return ending === "part" ? this.#modelRun.failPart(error) : this.#modelRun.fail(error);
  }

  async #offer(thrown: unknown): Promise<unknown> {
    const { run } = this.#modelRun;
    let error = thrown;
    try {
      run.check();
      const recovery = await offerError(run, thrown, { phase: "llm" });
      // No hook that may recover is registered: the answer would not be shown while it is written.
      if (recovery.type === "unrecovered") error = recovery.error;
    } catch (stopped) {
      error = stopped;
    }
    await this.#call.fail();
    return error;
  }
}

/** Throws where a hook that was registered while the answer was written refused or changed what has been shown: the run ends. */
function checkShown(end: ModelEnd<GenerateResult>, shown: GenerateResult): void {
  if (end.type === "answered" && end.response === shown) return;
  const what = end.type === "refused" ? `refused it: ${end.reason}` : "changed it";
  const problem = `the answer was being shown when an after_llm hook was registered, which ${what}.`;
  throw new TenterhookError("answer_refused", problem, { event: "after_llm" });
}
