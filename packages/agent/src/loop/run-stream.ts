import type { Run } from "./run.ts";
import type { RunEvent } from "./run-event.ts";

/**
 * A run that can be watched while it goes on. Reading its events is not needed for it to go on; leaving the loop early
 * aborts it, because nobody is left who wants its answer.
 */
export class RunStream<Output = string> implements AsyncIterable<RunEvent> {
  /** The run when it has ended, however it ended, so look at its `status`; rejects only when it could not begin. */
  readonly finished: Promise<Run<Output>>;
  readonly #abort: (reason: string) => void;
  readonly #waiting: RunEvent[] = [];
  #wake: (() => void) | undefined;
  #isOver = false;

  constructor(
    start: (emit: (event: RunEvent) => void) => Promise<Run<Output>>,
    abort: (reason: string) => void,
  ) {
    this.#abort = abort;
    this.finished = start((event) => {
      this.#waiting.push(event);
      this.#wake?.();
    });
    const over = () => {
      this.#isOver = true;
      this.#wake?.();
    };
    this.finished.then(over, over);
  }

  /** Only the text of the answers, as it comes. */
  async *text(): AsyncGenerator<string, void, void> {
    for await (const event of this) if (event.type === "text_delta") yield event.text;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<RunEvent, void, void> {
    try {
      for (;;) {
        for (let event = this.#waiting.shift(); event !== undefined; event = this.#waiting.shift())
          yield event;
        if (this.#isOver) {
          // A run that could not even begin has no events; its reader is told why.
          await this.finished;
          return;
        }
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      if (!this.#isOver) this.#abort("its reader left");
    }
  }
}
