import { messageOf } from "@tenterhook/protocol";
import type { AssignedRun } from "@tenterhook/protocol/runs";
import { pause } from "@tenterhook/protocol/support";
import { type Ending, endingFacts, type Finished } from "../carry-out/ending.ts";
import type { Task } from "../carry-out/task.ts";
import { EventOutbox } from "../events/event-outbox.ts";
import type { CoordinatorLink, Hold, ReportKind } from "../link/coordinator-link.ts";
import { NetworkFailure, Refusal } from "../link/refusal.ts";
import { untilAnswered } from "../link/until-answered.ts";
import type { Log } from "../log.ts";
import { Conversation } from "./conversation.ts";
import { Lease } from "./lease.ts";
import { Questions } from "./questions.ts";

export interface HeldRunParts {
  readonly link: CoordinatorLink;
  readonly leaseMs: number;
  /** Carries a run out until it ends or its signal is aborted. It must not reject. */
  readonly work: (task: Task) => Promise<Finished>;
  readonly log: Log;
}

/** A stopped run is reported after this time, also when somebody in it does not listen: people wait for it. */
const STOP_GRACE_MS = 700;

const MOST_IN_REASON = 2_000;

/**
 * One run from its claim to the report about it.
 *
 *   claimed ── started is answered ── the work ── its events are answered ── the report is answered
 *                                        │ stop order: aborted, reported as stopped
 *                                        └ lease lost or lapsed: aborted, nothing is reported
 */
export class HeldRun {
  readonly hold: Hold;
  readonly takesSlot: boolean;
  readonly #run: AssignedRun;
  readonly #parts: HeldRunParts;
  readonly #lease: Lease;
  readonly #outbox: EventOutbox;
  readonly #questions: Questions;
  readonly #conversation: Conversation;
  /** Ends the work. */
  readonly #work = new AbortController();
  /** Ends the talk with the coordinator. */
  readonly #talk = new AbortController();
  readonly #claimedAt = performance.now();
  #isStarted = false;
  #isWorking = true;
  #isLost = false;
  #isReported = false;

  constructor(run: AssignedRun, parts: HeldRunParts) {
    this.#run = run;
    this.#parts = parts;
    this.hold = { runId: run.run_id, leaseToken: run.lease_token };
    this.takesSlot = run.kind !== "hook";
    this.#outbox = new EventOutbox((first, events) =>
      this.#talkedTo((signal) => parts.link.reportEvents(this.hold, first, events, signal)),
    );
    this.#questions = new Questions(parts.link, this.hold);
    this.#conversation = new Conversation(parts.link, this.hold, (say) => this.#talkedTo(say));
    this.#lease = new Lease(parts.leaseMs, () => this.#lapsed());
  }

  /** Whether its lease matters: until it has been reported or lost. */
  get isLive(): boolean {
    return !this.#isLost && !this.#isReported;
  }

  /** Whether the coordinator knows that it has begun. */
  get isStarted(): boolean {
    return this.#isStarted;
  }

  renewed(askedAt: number): void {
    this.#lease.renew(askedAt);
  }

  /**
   * The lease is not renewed any more. When the work has ended that may be because the report about it has been taken, and
   * the answer to that is on its way; so it is left to that answer.
   */
  denied(why: string): void {
    if (this.#isWorking) this.lose(why);
  }

  /** Ends the work; the run is reported as stopped. */
  stop(reason: string): void {
    this.#work.abort(new Error(reason));
  }

  /** The run is no longer ours: ends the work, and nothing more is reported. */
  lose(why: string): void {
    if (!this.isLive) return;
    this.#isLost = true;
    this.#parts.log(`lost ${this.#title}: ${why}`);
    const reason = new Error(why);
    this.#work.abort(reason);
    this.#talk.abort(reason);
    this.#outbox.close();
  }

  /** Carries the run out and reports it. It never rejects, and resolves when the run no longer works. */
  async carryOut(): Promise<Pick<Finished, "rest">> {
    const { agent_name, attempt } = this.#run;
    this.#parts.log(`claimed ${this.#title} (${agent_name}${attempt > 1 ? `, attempt ${attempt}` : ""})`);
    try {
      // Nothing is done for a run before the coordinator knows that it is: else a lost answer could mean doing it twice.
      await this.#report("started", {});
      this.#isStarted = true;
      const work = this.#parts.work(this.#task());
      const { ending } = await Promise.race([work, this.#cutOff()]);
      this.#isWorking = false;
      if (!this.#isLost) await this.#finish(ending);
      // Whoever does not listen to its signal is still at work, and that is not a free slot.
      return await work;
    } catch (error) {
      if (!this.#isLost) this.#parts.log(`${this.#title} was not reported: ${messageOf(error)}`);
      return { rest: Promise.resolve() };
    } finally {
      this.#lease.end();
      this.#outbox.close();
    }
  }

  #task(): Task {
    return {
      run: this.#run,
      signal: this.#work.signal,
      isOurs: () => !this.#isLost,
      tell: (event) => this.#outbox.add(event),
      readConversation: () => this.#conversation.read(),
      keepConversation: (entries) => this.#conversation.keep(entries),
      askAboutTool: (question, signal) =>
        this.#unlessLost(this.#afterEvents(signal, () => this.#questions.askAboutTool(question, signal))),
      askPerson: (question, signal) =>
        this.#unlessLost(this.#afterEvents(signal, () => this.#questions.askPerson(question, signal))),
    };
  }

  /** Asks when what happened before has been reported: the events of the answer come behind it, also in the store. */
  async #afterEvents<T>(signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
    let leave = () => {};
    const aborted = new Promise<void>((resolve) => {
      leave = resolve;
    });
    signal.addEventListener("abort", leave, { once: true });
    await Promise.race([this.#outbox.flush(), aborted]);
    signal.removeEventListener("abort", leave);
    return ask();
  }

  async #cutOff(): Promise<Pick<Finished, "ending">> {
    const { signal } = this.#work;
    if (!signal.aborted) {
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    }
    await pause(STOP_GRACE_MS);
    return { ending: { type: "stopped", reason: messageOf(signal.reason) } };
  }

  async #finish(ending: Ending): Promise<void> {
    const { signal } = this.#work;
    // What breaks because it was told to stop has not failed.
    const told: Ending =
      signal.aborted && ending.type === "failed"
        ? { type: "stopped", reason: messageOf(signal.reason) }
        : ending;
    await this.#outbox.flush();
    // What hooks in the background still say is about a run that has ended.
    this.#outbox.close();
    try {
      // A stop order that comes now does not wait for a report that gets lost again and again.
      await this.#report(told.type, endingFacts(told), signal.aborted ? undefined : signal);
      this.#isReported = true;
      this.#parts.log(`${this.#title} ${inWords(told)} (${seconds(this.#claimedAt)} s)`);
    } catch (error) {
      if (this.#isLost) throw error;
      await this.#finishWithout(told, error);
    }
  }

  /** A report that cannot be sent, or is refused for good, is a failure to be seen: its reason is reported instead. */
  async #finishWithout(ending: Ending, cause: unknown): Promise<void> {
    const { signal } = this.#work;
    if (signal.aborted && ending.type !== "stopped" && cause instanceof NetworkFailure) {
      const reason = messageOf(signal.reason);
      await this.#report("stopped", endingFacts({ type: "stopped", reason }));
      this.#isReported = true;
      this.#parts.log(`${this.#title} stopped: ${reason}; its report got lost`);
      return;
    }
    const what = ending.type === "completed" ? "the result" : `the report that it ${ending.type}`;
    const who = cause instanceof Refusal ? `the coordinator refused ${what}` : `${what} could not be sent`;
    const error = `${who}: ${messageOf(cause).slice(0, MOST_IN_REASON)}`;
    await this.#report("failed", { error, error_code: "result_refused" });
    this.#isReported = true;
    this.#parts.log(`${this.#title} failed: ${error}`);
  }

  /** Work that has ended is reported all the same: it harms nobody, and the coordinator decides whether it still counts. */
  #lapsed(): void {
    this.denied("its lease could not be renewed");
  }

  #report(kind: ReportKind, facts: object, hurry?: AbortSignal): Promise<void> {
    return this.#talkedTo((signal) => this.#parts.link.report(this.hold, kind, facts, signal), hurry);
  }

  #talkedTo<T>(say: (signal: AbortSignal) => Promise<T>, hurry?: AbortSignal): Promise<T> {
    const { link } = this.#parts;
    const persistence = { answers: () => link.answers, hurry };
    return this.#unlessLost(untilAnswered(say, this.#talk.signal, persistence));
  }

  /** Whichever answer says that the run is lost, it is lost. */
  async #unlessLost<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      if (error instanceof Refusal && error.isLost) this.lose(error.message);
      throw error;
    }
  }

  get #title(): string {
    return this.#run.run_id;
  }
}

function inWords(ending: Ending): string {
  switch (ending.type) {
    case "completed":
      return "completed";
    case "failed":
      return `failed: ${firstLine(ending.error)}`;
    case "stopped":
      return `stopped: ${firstLine(ending.reason)}`;
  }
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1_000).toFixed(1);
}
