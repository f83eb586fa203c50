import { mayChangeAnswer } from "@tenterhook/engine/host";
import type { ModelDelta } from "../model/model.ts";
import type { RunScope } from "./run-scope.ts";

/** Shows an answer while it is written, when somebody reads along and no hook may still change it. */
export class Display {
  readonly #run: RunScope;
  readonly isLive: boolean;
  /** Whether the text has been shown already. */
  hasShown = false;

  constructor(run: RunScope, isLive: boolean) {
    this.#run = run;
    this.isLive = isLive;
  }

  /** For the answer of the next step: live unless hooks may change it, and then it says so. */
  static async forAnswer(run: RunScope): Promise<Display> {
    if (!run.streams) return new Display(run, false);
    const mayChange = await mayChangeAnswer(run.hooks);
    if (mayChange) {
      const reason = "hooks may change or refuse this answer, so it is shown when they have judged it";
      run.emit({ type: "answer_buffered", step: run.step, reason });
    }
    return new Display(run, !mayChange);
  }

  show({ type, text }: ModelDelta): void {
    if (type === "text") this.hasShown = true;
    this.#run.emit({ type: type === "text" ? "text_delta" : "reasoning_delta", step: this.#run.step, text });
  }

  /** What was shown does not count. */
  discard(reason: string): void {
    if (!this.hasShown) return;
    this.hasShown = false;
    this.#run.emit({ type: "answer_discarded", step: this.#run.step, reason });
  }
}
