import { type Message, TenterhookError } from "@tenterhook/protocol";
import type { RunScope } from "../loop/run-scope.ts";
import type { SessionStore, TranscriptEntry } from "./session-store.ts";

/** A session while an agent has it open: begun with `session_start`, ended with `session_end`, one run at a time. */
export class OpenSession {
  readonly id: string;
  /** Ends with the run that it was opened for. */
  readonly #isOneOff: boolean;
  readonly #store: SessionStore | undefined;
  readonly #forget: (session: OpenSession) => void;
  readonly #openedAt = performance.now();
  #state: "new" | "begun" | "ended" = "new";
  #isBusy = false;
  #loads = true;
  #isResumed = false;
  #isRefused = false;
  #context: readonly string[] = [];
  #steps = 0;
  /** The scope of the latest run, in which the session ends. */
  #lastRun: RunScope | undefined;

  constructor(
    id: string,
    options: {
      readonly isOneOff: boolean;
      readonly store: SessionStore | undefined;
      readonly forget: (session: OpenSession) => void;
    },
  ) {
    this.id = id;
    this.#isOneOff = options.isOneOff;
    this.#store = options.store;
    this.#forget = options.forget;
  }

  /** Reserves the session for a run. Two runs at once would write into each other's conversation. */
  occupy({ loadHistory }: { readonly loadHistory: boolean }): void {
    if (this.#isBusy) {
      throw new TenterhookError("session_busy", `a run is under way in the session "${this.id}" already.`, {
        hint: "Wait for it to end, or use another session.",
      });
    }
    this.#isBusy = true;
    this.#loads = loadHistory;
  }

  async history(): Promise<readonly Message[]> {
    const messages = await this.#store?.load(this.id);
    this.#isResumed = messages !== undefined && messages.length > 0;
    return this.#loads ? (messages ?? []) : [];
  }

  /** Fires `session_start` with the first run. Says why when a hook refused the session. */
  async begin(
    run: RunScope,
    model: string,
    given: Readonly<Record<string, unknown>> = {},
  ): Promise<{ readonly reason: string | undefined; readonly error: Error | undefined } | undefined> {
    this.#lastRun = run;
    if (this.#state !== "new") return undefined;
    this.#state = "begun";
    const args = { agent: run.identity.agent.name, ...given };
    const source = this.#isResumed ? "resume" : "startup";
    const start = await run.ask("session_start", { model, args, source });
    this.#context = start.context;
    this.#isRefused = start.action === "refuse";
    return this.#isRefused ? { reason: start.reason, error: start.error } : undefined;
  }

  /** What hooks added when the session began, for its first message. */
  takeContext(): readonly string[] {
    const context = this.#context;
    this.#context = [];
    return context;
  }

  async save(entries: readonly TranscriptEntry[]): Promise<void> {
    await this.#store?.append(this.id, entries);
  }

  /** Lets the next run in. */
  release(): void {
    this.#isBusy = false;
  }

  /** A run is over; a session that was only opened for it, or that was refused, is too. */
  async endRun(run: RunScope, stopReason: string): Promise<void> {
    this.#steps += run.stepCount;
    if (this.#isOneOff || this.#isRefused) await this.end(stopReason);
  }

  /** Fires `session_end`, once, if the session has begun. */
  async end(exitReason: string): Promise<void> {
    const run = this.#lastRun;
    const hasBegun = this.#state === "begun";
    this.#state = "ended";
    this.#forget(this);
    if (!hasBegun || run === undefined) return;
    await run.tellLast("session_end", {
      durationSeconds: (performance.now() - this.#openedAt) / 1_000,
      totalSteps: this.#steps,
      exitReason,
    });
  }
}
