import type { Database, Queries } from "../database/database.ts";
import type { HookReply } from "../domain/hook-decision.ts";
import type { Limits } from "../domain/limits.ts";
import type { TokenHolder } from "../domain/requesters.ts";
import type { ApprovalRow, HookRow, Json, RunRow } from "../store/rows.ts";
import type { Topic } from "../wakeups.ts";
import { type Begun, beginHook } from "./begin-hook.ts";
import { claimHooks, type HookRoom } from "./claim-hooks.ts";
import { type Claimant, ClaimExpectation, type ClaimedRun, claimRuns } from "./claim-run.ts";
import { createRuns, type NewRun, type NotCreated } from "./create-run.ts";
import { type ApprovalDecision, type ApprovalOutcome, decideApproval } from "./decide-approval.ts";
import { renewHook, requeueLostHooks } from "./hook-rows.ts";
import { type LimitReached, noteWaiting, type QueuedHook, queuedHooks } from "./note-waiting.ts";
import { endLateRun, failLateHook, takeFromLostRunner } from "./overdue.ts";
import { type Postponement, postponeHook } from "./postpone-hook.ts";
import { forgetStopOrder, releaseLostAssignments, releaseRun } from "./release-run.ts";
import { type ReportedEvent, reportEvents } from "./report-events.ts";
import {
  acceptReport,
  type CompletedReport,
  completePlainRuns,
  type Report,
  type ReportedRun,
  type Result,
  reportCompleted,
  reportFailed,
  reportStarted,
  reportStopped,
} from "./reports.ts";
import { setAsideHook, setAsideRun } from "./set-aside.ts";
import { settled } from "./settle-hooks.ts";
import { stopRun } from "./stop-run.ts";
import {
  type ApprovalQuestion,
  askAboutTool,
  askPerson,
  type ToolCall,
  type ToolVerdict,
} from "./tool-call.ts";
import type { Transition } from "./transition.ts";
import { createTrialRun, type TrialRun } from "./trial-run.ts";

/**
 * The life of a run: one method for each thing that can happen to it. A method is one transaction or one statement. It also settles
 * the consequences for other runs and hooks, and wakes waiting calls, so that its callers have nothing to remember.
 */
export class RunLifecycle {
  readonly #database: Database;
  readonly #expected = new ClaimExpectation();
  readonly #limits: Limits;
  readonly #wake: (...topics: readonly Topic[]) => void;

  constructor(database: Database, limits: Limits, wake: (...topics: readonly Topic[]) => void) {
    this.#database = database;
    this.#limits = limits;
    this.#wake = wake;
  }

  /** Creates runs. A caller that gives the `queries` of its own transaction wakes "events" after the commit. */
  async create(
    runs: readonly NewRun[],
    queries: Queries = this.#database,
  ): Promise<readonly (RunRow | NotCreated)[]> {
    const created = await createRuns(queries, runs);
    if (queries === this.#database) this.#wake("events");
    return created;
  }

  /** Gives the next runs to runners that ask for one. */
  async claim(claimants: readonly Claimant[]): Promise<readonly (ClaimedRun | undefined)[]> {
    const runs = await claimRuns(this.#database, claimants, this.#expected);
    if (runs.some((run) => run !== undefined)) this.#wake("events");
    // A start hook has become due.
    if (runs.some((run) => run?.state === "preparing")) this.#wake("hooks");
    return runs;
  }

  /** Takes a run back whose runner did not receive the assignment. */
  async release(id: string, token: string, reason: string): Promise<void> {
    const { hookWaitSeconds } = this.#limits;
    await releaseRun(this.#database, id, token, { hookWaitSeconds, reason });
    this.#wake("work", "events");
  }

  /** Takes back the runs that a runner was given and has not started, except those that it received. */
  async releaseLostAssignments(runnerId: string, received: readonly string[]): Promise<void> {
    const { hookWaitSeconds } = this.#limits;
    if (await releaseLostAssignments(this.#database, runnerId, received, hookWaitSeconds))
      this.#wake("work", "events");
  }

  /** Takes back a stop order that did not reach its runner. */
  async forgetStopOrder(id: string, token: string): Promise<void> {
    await forgetStopOrder(this.#database, id, token);
    this.#wake("stops");
  }

  /** A runner reports that it has started a run. */
  async reportStarted(id: string, token: string): Promise<Report> {
    const report = await reportStarted(this.#database, id, token);
    this.#wake("events");
    return report;
  }

  /** Takes a report about the work in a run: the first one also starts the run. False when the lease is lost. */
  async acceptReport(id: string, token: string, take: () => Promise<boolean>): Promise<boolean> {
    const isAccepted = await acceptReport(this.#database, id, token, take);
    if (isAccepted) this.#wake("events");
    return isAccepted;
  }

  /** A runner reports events of a run. False when the lease is lost. */
  async reportEvents(
    id: string,
    token: string,
    first: number,
    events: readonly ReportedEvent[],
  ): Promise<boolean> {
    const isAccepted = await reportEvents(this.#database, id, token, first, events);
    if (isAccepted) this.#wake("events");
    return isAccepted;
  }

  /** Runners report results of runs whose end has no consequences. `undefined` for every other run, or lease. */
  async completePlain(reports: readonly CompletedReport[]): Promise<readonly (ReportedRun | undefined)[]> {
    const runs = await completePlainRuns(this.#database, reports);
    if (runs.some((run) => run !== undefined)) this.#wake("events");
    return runs;
  }

  /** A runner reports the result of any run. */
  async complete(id: string, token: string, result: Result): Promise<Report> {
    const report = await this.#settle((transition) => reportCompleted(transition, id, token, result));
    this.#wake("work", "hooks", "events");
    return report;
  }

  /** A runner reports that a run has failed. */
  async fail(
    id: string,
    token: string,
    failure: { readonly error: string; readonly errorCode?: string | undefined },
  ): Promise<Report> {
    const report = await this.#settle((transition) => reportFailed(transition, id, token, failure));
    this.#wakeAll();
    return report;
  }

  /** A runner reports that it has stopped a run. */
  async reportStopped(id: string, token: string, reason: string | undefined): Promise<Report> {
    const report = await this.#settle((transition) => reportStopped(transition, id, token, reason));
    this.#wakeAll();
    return report;
  }

  /** Stops a run: at once when no runner has it, else by an order to the runner. Returns the run as it is then. */
  async stop(id: string, reason: string, by?: string): Promise<RunRow | undefined> {
    const run = await this.#settle((transition) => stopRun(transition, id, reason, by));
    this.#wake("stops", "hooks", "events");
    return run;
  }

  /** Asks the run's `on_tool_call` hook about a call, once for each call. `undefined` when the lease is lost. */
  async askAboutTool(id: string, token: string, call: ToolCall): Promise<ToolVerdict | undefined> {
    const verdict = await this.#database.transaction((queries) =>
      askAboutTool(queries, id, token, call, this.#limits),
    );
    // Also when the runner does not wait for the hook.
    if (verdict !== undefined) this.#wake("hooks");
    return verdict;
  }

  /** Requests an approval for a hook on the runner, once for each key. `undefined` when the lease is lost. */
  async askPerson(id: string, token: string, question: ApprovalQuestion): Promise<ApprovalRow | undefined> {
    const approval = await this.#database.transaction((queries) =>
      askPerson(queries, id, token, question, this.#limits),
    );
    if (approval !== undefined) this.#wake("events");
    return approval;
  }

  /** A person decides an approval. */
  async decide(id: string, decision: ApprovalDecision, decider: TokenHolder): Promise<ApprovalOutcome> {
    const outcome = await this.#settle((transition) => decideApproval(transition, id, decision, decider));
    this.#wakeAll();
    return outcome;
  }

  /** Takes hooks that are due and that there is room for, under a lease. */
  claimHooks(room: HookRoom): Promise<readonly HookRow[]> {
    return claimHooks(this.#database, room, this.#limits.leaseSeconds);
  }

  /** Begins a hook that was claimed: an agent hook becomes a run, an http hook is left to the caller. */
  async beginHook(hook: HookRow): Promise<Begun> {
    const begun = await this.#settle((transition) => beginHook(transition, hook));
    this.#wake("work", "events");
    return begun;
  }

  /** Renews the lease of a hook that is being executed. False when the lease is lost, or the hook has ended. */
  renewHook(hook: HookRow): Promise<boolean> {
    return renewHook(this.#database, hook, this.#limits.leaseSeconds);
  }

  /** Gives a hook back until it is tried again. */
  async postponeHook(hook: HookRow, postponement: Postponement): Promise<void> {
    await this.#database.transaction((queries) => postponeHook(queries, hook, postponement));
    this.#wake("events");
  }

  /** The http hooks that have been due for a while, those after another one. */
  queuedHooks(after: Pick<QueuedHook, "due" | "id">): Promise<readonly QueuedHook[]> {
    return queuedHooks(this.#database, after);
  }

  /** A limit of calls keeps a hook waiting. */
  async noteWaiting(hook: QueuedHook, limit: LimitReached): Promise<void> {
    await this.#database.transaction((queries) => noteWaiting(queries, hook, limit));
    this.#wake("events");
  }

  /** A hook has its reply. */
  async answerHook(hook: HookRow, reply: HookReply): Promise<void> {
    await this.#settle(async (transition) => {
      transition.answerHook(hook, reply);
      transition.stopHookRunsOf(hook.run_id);
    });
    this.#wake("work", "hooks", "events");
  }

  /** Starts a run of a hook's agent to see what it answers; the reply if there can be no run. */
  async startTrial(
    agentName: string,
    envelope: Json,
    timeoutSeconds: number,
    createdBy: string,
  ): Promise<TrialRun> {
    const trial = await createTrialRun(this.#database, agentName, envelope, timeoutSeconds, createdBy);
    this.#wake("work", "events");
    return trial;
  }

  /** The lease of a run has expired. */
  loseRunner(id: string): Promise<void> {
    return this.#expire((transition) => takeFromLostRunner(transition, id));
  }

  /** The timeout of a run has passed. */
  expireRun(id: string): Promise<void> {
    return this.#expire((transition) => endLateRun(transition, id));
  }

  /** The deadline of a hook has passed. */
  expireHook(id: string): Promise<void> {
    return this.#expire((transition) => failLateHook(transition, id));
  }

  /** The time for a decision has passed. */
  expireApproval(id: string): Promise<void> {
    return this.#expire(async (transition) => {
      await decideApproval(transition, id, { type: "expire" }, null);
    });
  }

  /** Makes hooks due again whose leases have expired. Returns how many. */
  async requeueLostHooks(): Promise<number> {
    const count = await requeueLostHooks(this.#database);
    if (count > 0) this.#wake("hooks");
    return count;
  }

  /** Ends a run that cannot be processed, because that throws each time. */
  async setAsideRun(id: string, cause: unknown): Promise<void> {
    await setAsideRun(this.#database, id, cause, this.#limits);
    this.#wakeAll();
  }

  /** Ends a hook that cannot be processed, and a run that waits for it. */
  async setAsideHook(hook: Pick<HookRow, "id" | "run_id">, cause: unknown): Promise<void> {
    await setAsideHook(this.#database, hook, cause, this.#limits);
    this.#wakeAll();
  }

  #settle<T>(work: (transition: Transition) => Promise<T>): Promise<T> {
    return this.#database.transaction((queries) => settled(queries, this.#limits, work));
  }

  async #expire(work: (transition: Transition) => Promise<void>): Promise<void> {
    await this.#settle(work);
    this.#wakeAll();
  }

  #wakeAll(): void {
    this.#wake("work", "stops", "hooks", "events");
  }
}
