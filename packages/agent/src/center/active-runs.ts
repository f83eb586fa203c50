import { completesWithin, linkedController } from "@tenterhook/internal";
import { sessionBusy } from "../sessions/open-session.ts";

/** The active runs of a center, at most one in each session: two would write into the same conversation. */
export class ActiveRuns {
  readonly #runs = new Map<string, ActiveRun>();

  /** Starts a run in a session. Throws `session_busy` if the session has an active run, also of another agent. */
  start(sessionId: string, signal: AbortSignal | undefined): ActiveRun {
    if (this.#runs.has(sessionId)) throw sessionBusy(sessionId);
    const run = new ActiveRun(signal, () => this.#runs.delete(sessionId));
    this.#runs.set(sessionId, run);
    return run;
  }

  /** Waits for all of them to finish, then aborts those that have not, and waits as long again. */
  async finish(timeoutMs: number): Promise<void> {
    if (this.#runs.size === 0 || (await completesWithin(timeoutMs, this.#allEnded()))) return;
    for (const run of this.#runs.values()) run.abort("the center is closed");
    await completesWithin(timeoutMs, this.#allEnded());
  }

  #allEnded(): Promise<unknown> {
    return Promise.all(Array.from(this.#runs.values(), (run) => run.ended));
  }
}

export class ActiveRun {
  readonly #controller: AbortController;
  readonly #onEnd: () => void;
  #ended: Promise<unknown> = Promise.resolve();

  constructor(signal: AbortSignal | undefined, onEnd: () => void) {
    const { controller, release } = linkedController(signal);
    this.#controller = controller;
    this.#onEnd = () => {
      release();
      onEnd();
    };
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Resolves, and never rejects, when the run has ended. */
  get ended(): Promise<unknown> {
    return this.#ended;
  }

  abort(reason: string): void {
    this.#controller.abort(new Error(reason));
  }

  /** Sets the promise of the run, which ends when that settles. */
  track<T>(running: Promise<T>): Promise<T> {
    this.#ended = running.then(this.#onEnd, this.#onEnd);
    return running;
  }
}
