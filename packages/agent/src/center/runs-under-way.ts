import { TenterhookError } from "@tenterhook/protocol";
import { linkedController } from "@tenterhook/protocol/support";
import { within } from "./within.ts";

/** The runs of a center that have not ended, one in each session: two would write into each other's conversation. */
export class RunsUnderWay {
  readonly #runs = new Map<string, RunUnderWay>();

  /** Begins a run in a session. Throws `session_busy` when there is one, also when it is another agent's. */
  begin(sessionId: string, signal: AbortSignal | undefined): RunUnderWay {
    if (this.#runs.has(sessionId)) {
      throw new TenterhookError("session_busy", `a run is under way in the session "${sessionId}" already.`, {
        hint: "Wait for it to end, or use another session.",
      });
    }
    const run = new RunUnderWay(signal, () => this.#runs.delete(sessionId));
    this.#runs.set(sessionId, run);
    return run;
  }

  /** Lets all of them finish for a while, then aborts them, and gives them as long again to notice. */
  async finish(timeoutMs: number): Promise<void> {
    if (this.#runs.size === 0 || (await within(this.#allEnded(), timeoutMs))) return;
    for (const run of this.#runs.values()) run.abort("the center is closed");
    await within(this.#allEnded(), timeoutMs);
  }

  #allEnded(): Promise<unknown> {
    return Promise.all(Array.from(this.#runs.values(), (run) => run.ended));
  }
}

export class RunUnderWay {
  readonly #controller: AbortController;
  readonly #release: () => void;
  readonly #over: () => void;
  #ended: Promise<unknown> = Promise.resolve();

  constructor(signal: AbortSignal | undefined, over: () => void) {
    const { controller, release } = linkedController(signal);
    this.#controller = controller;
    this.#release = release;
    this.#over = over;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Settles, and never rejects, when the run has ended. */
  get ended(): Promise<unknown> {
    return this.#ended;
  }

  abort(reason: string): void {
    this.#controller.abort(new Error(reason));
  }

  /** Says what the run is; it is over when that has settled. */
  is<T>(running: Promise<T>): Promise<T> {
    const over = () => {
      this.#release();
      this.#over();
    };
    this.#ended = running.then(over, over);
    return running;
  }
}
