import { messageOf, onAbort, orAborted, pause } from "@tenterhook/internal";
import type { AssignedRun } from "@tenterhook/protocol/runs";
import { EventOutbox } from "../events/event-outbox.ts";
import { type Ending, endingFacts, type Finished } from "../execute/ending.ts";
import type { Task } from "../execute/task.ts";
import type { CoordinatorLink, LeaseProof, ReportKind } from "../link/coordinator-link.ts";
import { isLost, isNetworkFailure, isRefusal } from "../link/refusal.ts";
import { type Persistence, untilAnswered } from "../link/until-answered.ts";
import type { Log } from "../log.ts";
import { Conversation } from "./conversation.ts";
import { Lease } from "./lease.ts";
import { Questions } from "./questions.ts";

export interface LeasedRunParts {
  readonly link: CoordinatorLink;
  readonly leaseMs: number;
  /** Executes a run until it ends or its signal is aborted. It must not reject. */
  readonly work: (task: Task) => Promise<Finished>;
  readonly log: Log;
}

/** A stopped run is reported after this time, also when its work ignores the signal: people wait for it. */
const STOP_GRACE_MS = 700;

const MAX_IN_REASON = 2_000;

/**
 * One run from its claim to the report about it.
 *
 *   claimed ── started is answered ── the work ── its events are answered ── the report is answered
 *                                        │ stop order: aborted, reported as stopped
 *                                        └ lease lost or lapsed: aborted, nothing is reported
 */
export class LeasedRun {
  readonly proof: LeaseProof;
  readonly takesSlot: boolean;
  readonly #run: AssignedRun;
  readonly #parts: LeasedRunParts;
  readonly #lease: Lease;
  readonly #outbox: EventOutbox;
  readonly #questions: Questions;
  readonly #conversation: Conversation;
  /** Ends the work. */
  readonly #work = new AbortController();
  /** Ends the requests to the coordinator. */
  readonly #requests = new AbortController();
  readonly #claimedAt = performance.now();
  #isStarted = false;
  #isWorking = true;
  #isLost = false;
  #isReported = false;

  constructor(run: AssignedRun, parts: LeasedRunParts) {
    this.#run = run;
    this.#parts = parts;
    this.proof = { runId: run.run_id, leaseToken: run.lease_token };
    this.takesSlot = run.kind !== "hook";
    this.#outbox = new EventOutbox((first, events) =>
      this.#untilAnswered((signal) => parts.link.reportEvents(this.proof, first, events, signal)),
    );
    this.#questions = new Questions(parts.link, this.proof);
    this.#conversation = new Conversation(parts.link, this.proof, (request) => this.#untilAnswered(request));
    // Work that has ended is reported all the same: the coordinator decides whether the report still counts.
    this.#lease = new Lease(parts.leaseMs, () => this.denied("its lease could not be renewed"));
  }

  /** Whether its lease counts: until the run has been reported or lost. */
  get isLive(): boolean {
    return !this.#isLost && !this.#isReported;
  }

  /** Whether the coordinator has confirmed the start. */
  get isStarted(): boolean {
    return this.#isStarted;
  }

  renewed(askedAt: number): void {
    this.#lease.renew(askedAt);
  }

  /**
   * The coordinator no longer renews the lease. After the end of the work that may be because it has taken the report, whose answer
   * is on its way; then that answer decides.
   */
  denied(why: string): void {
    if (this.#isWorking) this.lose(why);
  }

  /** Ends the work; the run is reported as stopped. */
  stop(reason: string): void {
    this.#work.abort(new Error(reason));
  }

  /** The lease is lost: ends the work, and nothing more is reported. */
  lose(why: string): void {
    if (!this.isLive) return;
    this.#isLost = true;
    this.#parts.log(`lost ${this.proof.runId}: ${why}`);
    const reason = new Error(why);
    this.#work.abort(reason);
    this.#requests.abort(reason);
    this.#outbox.close();
  }

  /** Executes the run and reports it. It never rejects, and resolves when the work has ended. */
  async execute(): Promise<Pick<Finished, "background">> {
    const { agent_name, attempt } = this.#run;
    this.#parts.log(
      `claimed ${this.proof.runId} (${agent_name}${attempt > 1 ? `, attempt ${attempt}` : ""})`,
    );
    try {
      // No work begins before the coordinator has confirmed the start: else a lost answer could lead to two executions.
      await this.#report("started", {});
      this.#isStarted = true;
      const work = this.#parts.work(this.#task());
      const { ending } = await Promise.race([work, this.#cutOff()]);
      this.#isWorking = false;
      if (!this.#isLost) await this.#finish(ending);
      // Work that ignores its signal continues, and still takes its slot.
      return await work;
    } catch (error) {
      if (!this.#isLost) this.#parts.log(`${this.proof.runId} was not reported: ${messageOf(error)}`);
      return { background: Promise.resolve() };
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
      report: (event) => this.#outbox.add(event),
      readConversation: () => this.#conversation.read(),
      keepConversation: (entries) => this.#conversation.keep(entries),
      askAboutTool: (question, signal) =>
        this.#unlessLost(this.#afterEvents(signal, () => this.#questions.askAboutTool(question, signal))),
      askPerson: (question, signal) =>
        this.#unlessLost(this.#afterEvents(signal, () => this.#questions.askPerson(question, signal))),
    };
  }

  /** Sends the question after the events before it, so that the store has them in this order. */
  async #afterEvents<T>(signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
    await orAborted(this.#outbox.flush(), signal).catch(() => undefined);
    return ask();
  }

  async #cutOff(): Promise<Pick<Finished, "ending">> {
    const { signal } = this.#work;
    await new Promise<void>((resolve) => onAbort(signal, resolve));
    await pause(STOP_GRACE_MS);
    return { ending: { type: "stopped", reason: messageOf(signal.reason) } };
  }

  async #finish(ending: Ending): Promise<void> {
    const { signal } = this.#work;
    // Work that breaks because it was stopped has not failed.
    const reported: Ending =
      signal.aborted && ending.type === "failed"
        ? { type: "stopped", reason: messageOf(signal.reason) }
        : ending;
    await this.#outbox.flush();
    // Later events of background hooks would belong to a run that has ended.
    this.#outbox.close();
    try {
      // A stop order that arrives now does not wait for a report that is lost again and again.
      await this.#report(reported.type, endingFacts(reported), signal.aborted ? undefined : signal);
      this.#isReported = true;
      this.#parts.log(`${this.proof.runId} ${describe(reported)} (${seconds(this.#claimedAt)} s)`);
    } catch (error) {
      if (this.#isLost) throw error;
      await this.#finishWithout(reported, error);
    }
  }

  /** When a report cannot be sent, or is refused for good, the reason is reported as a failure instead. */
  async #finishWithout(ending: Ending, cause: unknown): Promise<void> {
    const { signal } = this.#work;
    if (signal.aborted && ending.type !== "stopped" && isNetworkFailure(cause)) {
      const reason = messageOf(signal.reason);
      await this.#report("stopped", endingFacts({ type: "stopped", reason }));
      this.#isReported = true;
      this.#parts.log(`${this.proof.runId} stopped: ${reason}; its report got lost`);
      return;
    }
    const what = ending.type === "completed" ? "the result" : `the report that it ${ending.type}`;
    const who = isRefusal(cause) ? `the coordinator refused ${what}` : `${what} could not be sent`;
    const error = `${who}: ${messageOf(cause).slice(0, MAX_IN_REASON)}`;
    await this.#report("failed", { error, error_code: "result_refused" });
    this.#isReported = true;
    this.#parts.log(`${this.proof.runId} failed: ${error}`);
  }

  /** A report is repeated until it is stored, or the lease is proved lost, or it alone makes the coordinator fail. */
  #report(kind: ReportKind, facts: object, hurry?: AbortSignal): Promise<void> {
    const { link } = this.#parts;
    const accepted = () => link.accepted;
    return this.#untilAnswered((signal) => link.report(this.proof, kind, facts, signal), { accepted, hurry });
  }

  #untilAnswered<T>(
    request: (signal: AbortSignal) => Promise<T>,
    more: Pick<Persistence, "accepted" | "hurry"> = {},
  ): Promise<T> {
    const { link } = this.#parts;
    const persistence = { answers: () => link.answers, ...more };
    return this.#unlessLost(untilAnswered(request, this.#requests.signal, persistence));
  }

  /** Any answer can be the one that the lease is lost. */
  async #unlessLost<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      if (isLost(error)) this.lose(error.message);
      throw error;
    }
  }
}

function describe(ending: Ending): string {
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
