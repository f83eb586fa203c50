import { endSession, type HostRun, type Refused, snapshot, startSession } from "@tenterhook/engine/host";
import { type Message, TenterhookError } from "@tenterhook/protocol";
import type { SessionStore, TranscriptEntry } from "./session-store.ts";

/** A session that an agent has open, from `session_start` to `session_end`, with one run at a time. */
export class OpenSession {
  readonly id: string;
  /** Ends with the run that it was opened for. */
  readonly #isOneOff: boolean;
  readonly #store: SessionStore | undefined;
  readonly #onEnd: (session: OpenSession) => void;
  readonly #openedAt = performance.now();
  #state: "new" | "started" | "ended" = "new";
  #isBusy = false;
  #loadsHistory = true;
  #isResumed = false;
  #isRefused = false;
  #context: readonly string[] = [];
  #steps = 0;
  /** The latest run, which fires `session_end`. */
  #lastRun: HostRun | undefined;

  constructor(
    id: string,
    options: {
      readonly isOneOff: boolean;
      readonly store: SessionStore | undefined;
      readonly onEnd: (session: OpenSession) => void;
    },
  ) {
    this.id = id;
    this.#isOneOff = options.isOneOff;
    this.#store = options.store;
    this.#onEnd = options.onEnd;
  }

  /** Reserves the session for a run. Two active runs would write into the same conversation. */
  occupy({ loadHistory }: { readonly loadHistory: boolean }): void {
    if (this.#isBusy) throw sessionBusy(this.id);
    this.#isBusy = true;
    this.#loadsHistory = loadHistory;
  }

  async history(): Promise<readonly Message[]> {
    const messages = await this.#store?.load(this.id);
    this.#isResumed = messages !== undefined && messages.length > 0;
    return this.#loadsHistory ? (messages ?? []) : [];
  }

  /** Fires `session_start` with the first run. Returns the refusal of a hook. */
  async start(
    run: HostRun,
    model: string,
    hostArgs: Readonly<Record<string, unknown>> = {},
  ): Promise<Refused | undefined> {
    this.#lastRun = run;
    if (this.#state !== "new") return undefined;
    this.#state = "started";
    const args = snapshot({ agent: run.init.agent.name, ...hostArgs });
    const source = this.#isResumed ? "resume" : "startup";
    const start = await startSession(run, { model, args, source });
    this.#isRefused = start.type === "refused";
    if (start.type === "refused") return start;
    this.#context = start.context;
    return undefined;
  }

  /** Context that hooks added at `session_start`, for the first message. */
  takeContext(): readonly string[] {
    const context = this.#context;
    this.#context = [];
    return context;
  }

  async save(entries: readonly TranscriptEntry[]): Promise<void> {
    await this.#store?.append(this.id, entries);
  }

  /** Releases the session for the next run. */
  release(): void {
    this.#isBusy = false;
  }

  /** After a run, ends a session that was only opened for it, or that was refused. */
  async endRun(run: HostRun, stopReason: string): Promise<void> {
    this.#steps += run.steps.started;
    if (this.#isOneOff || this.#isRefused) await this.end(stopReason);
  }

  /** Fires `session_end`, once, if the session was started. */
  async end(exitReason: string): Promise<void> {
    const run = this.#lastRun;
    const isStarted = this.#state === "started";
    this.#state = "ended";
    this.#onEnd(this);
    if (!isStarted || run === undefined) return;
    await endSession(run, {
      durationSeconds: (performance.now() - this.#openedAt) / 1_000,
      totalSteps: this.#steps,
      exitReason,
    });
  }
}

export function sessionBusy(id: string): TenterhookError {
  return new TenterhookError("session_busy", `the session "${id}" has an active run.`, {
    hint: "Wait for it to end, or use another session.",
  });
}
