import { mayChangeAnswer } from "@tenterhook/engine/host";
import type { ModelDelta } from "../model/model.ts";
import type { RunContext } from "../run/run-context.ts";

/** Streams an answer to the run's listener, if no hook may change it. */
export class Display {
  readonly #run: RunContext;
  readonly isLive: boolean;
  /** Whether text has been streamed. */
  hasShown = false;

  constructor(run: RunContext, isLive: boolean) {
    this.#run = run;
    this.isLive = isLive;
  }

  /** For the next answer: live, unless hooks may change it; then `answer_buffered` is emitted. */
  static async forAnswer(run: RunContext): Promise<Display> {
    if (!run.isStreamed) return new Display(run, false);
    const mayChange = await mayChangeAnswer(run.hooks);
    if (mayChange) {
      const reason = "hooks may change or refuse this answer, so it is shown after they have run";
      run.emit({ type: "answer_buffered", step: run.step, reason });
    }
    return new Display(run, !mayChange);
  }

  show({ type, text }: ModelDelta): void {
    if (type === "text") this.hasShown = true;
    this.#run.emit({ type: type === "text" ? "text_delta" : "reasoning_delta", step: this.#run.step, text });
  }

  /** Declares the streamed text void. */
  discard(reason: string): void {
    if (!this.hasShown) return;
    this.hasShown = false;
    this.#run.emit({ type: "answer_discarded", step: this.#run.step, reason });
  }
}
