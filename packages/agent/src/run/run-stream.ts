import type { AgentEvent } from "./agent-event.ts";
import type { RunResult } from "./run-result.ts";

/**
 * The events of an active run. The run continues even if they are not read; leaving the `for await` loop early aborts it, because
 * its answer is no longer read.
 */
export class RunStream<Output = string> implements AsyncIterable<AgentEvent> {
  /** The run when it has ended in any way, so check its `status`; rejects only if the run could not start. */
  readonly finished: Promise<RunResult<Output>>;
  readonly #abort: (reason: string) => void;
  readonly #waiting: AgentEvent[] = [];
  #wake: (() => void) | undefined;
  #hasEnded = false;

  constructor(
    start: (emit: (event: AgentEvent) => void) => Promise<RunResult<Output>>,
    abort: (reason: string) => void,
  ) {
    this.#abort = abort;
    this.finished = start((event) => {
      this.#waiting.push(event);
      this.#wake?.();
    });
    const onEnd = () => {
      this.#hasEnded = true;
      this.#wake?.();
    };
    this.finished.then(onEnd, onEnd);
  }

  /** Only the text of the answers, as it is streamed. */
  async *text(): AsyncGenerator<string, void, void> {
    for await (const event of this) if (event.type === "text_delta") yield event.text;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<AgentEvent, void, void> {
    try {
      for (;;) {
        for (let event = this.#waiting.shift(); event !== undefined; event = this.#waiting.shift())
          yield event;
        if (this.#hasEnded) {
          // A run that could not start has no events; the reader gets the error.
          await this.finished;
          return;
        }
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      if (!this.#hasEnded) this.#abort("the reader of its events stopped");
    }
  }
}
