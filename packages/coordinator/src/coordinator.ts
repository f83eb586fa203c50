import { BoundedMap, Latch, linkedController, pause } from "@tenterhook/internal";
import type { Blueprint, Prices } from "@tenterhook/protocol/runs";
import { AgentCache } from "./agents/agent-cache.ts";
import { BlueprintCache } from "./agents/blueprint-cache.ts";
import { Batcher } from "./database/batcher.ts";
import type { Database } from "./database/database.ts";
import { type CallLimits, readCallLimits } from "./domain/call-limits.ts";
import { DEFAULT_LIMITS, type Limits } from "./domain/limits.ts";
import { EventFeed } from "./events/feed.ts";
import { CallSlots } from "./hooks/call-slots.ts";
import { HookWorker, type HttpHookAttempt, type HttpHookCaller } from "./hooks/hook-worker.ts";
import { WaitingNotes } from "./hooks/waiting-notes.ts";
import { InsightFolder, prepareInsights } from "./insights/insight-folder.ts";
import {
  type Claimant,
  type ClaimedRun,
  type CompletedReport,
  claimKey,
  type NewRun,
  type NotCreated,
  type Report,
  type ReportedRun,
  type Result,
  RunLifecycle,
  WaitingPollers,
} from "./lifecycle/index.ts";
import { Loop } from "./loop.ts";
import { RepeatedFailures } from "./repeated-failures.ts";
import { nextStopOrder } from "./runners/runner-rows.ts";
import { type StartedRun, startRun } from "./runs/start-run.ts";
import type { RunOrigin, StartRunRequest } from "./runs/start-run-request.ts";
import { PART_SIZE } from "./search/parts.ts";
import { RunIndexer } from "./search/run-indexer.ts";
import type { EventRow, RunRow } from "./store/rows.ts";
import { readRun } from "./store/run-rows.ts";
import { LeaseHealer } from "./sweeps/heal-clock.ts";
import { sweep } from "./sweeps/sweep.ts";
import { HookTrials } from "./trials/hook-trials.ts";
import { type Topic, Wakeups } from "./wakeups.ts";

export interface CoordinatorOptions {
  readonly limits?: Partial<Limits>;
  /** How many URLs of http hooks it calls at a time. */
  readonly calls?: Partial<CallLimits>;
  /** Calls http hooks. */
  readonly callHttpHook: HttpHookCaller;
  /** Makes one attempt to call one. Default: `callHttpHook`. */
  readonly attemptHttpHook?: HttpHookAttempt;
  /** How often to sweep. Default 1,000. */
  readonly sweepMs?: number;
  /** Whether it writes the search index of runs. Default true; without it the cost of indexing can be measured. */
  readonly indexRuns?: boolean;
  /**
   * Whether it adds up events for `GET /insights`; a function is asked before each batch of events. Default true; without it the cost of
   * that can be measured.
   */
  readonly foldInsights?: boolean | (() => boolean);
  /** What models cost, for the cost of model calls. Default: no prices. */
  readonly prices?: Prices;
  /** Receives errors that no caller gets. */
  readonly report?: (error: unknown) => void;
}

/** The response to a runner's poll. */
export type Assignment =
  | { readonly type: "run"; readonly run: ClaimedRun; readonly blueprint: Blueprint }
  | { readonly type: "stop"; readonly runId: string; readonly leaseToken: string };

/** Runs over one database. All state is in there: any number of coordinators may share it, and any may crash. */
export class Coordinator {
  readonly database: Database;
  readonly limits: Limits;
  readonly feed: EventFeed;
  readonly lifecycle: RunLifecycle;
  readonly trials: HookTrials;
  /** The rows that sweeps failed on, and how many were set aside. */
  readonly failures: RepeatedFailures;
  readonly #wakeups: Wakeups;
  readonly #slots: CallSlots;
  readonly #hookWorker: HookWorker;
  readonly #loops: Loop[] = [];
  readonly #stopChecks = new BoundedMap<string, { readonly count: number; readonly at: number }>(MAX_RUNNERS);
  readonly #agents: AgentCache;
  readonly #created: Batcher<NewRun, RunRow | NotCreated>;
  readonly #claimed: Batcher<Claimant, ClaimedRun | undefined>;
  readonly #completed: Batcher<CompletedReport, ReportedRun | undefined>;
  readonly #pollers = new WaitingPollers();
  readonly #blueprints: BlueprintCache;
  readonly #options: CoordinatorOptions;
  readonly #report: (error: unknown) => void;

  constructor(database: Database, options: CoordinatorOptions) {
    this.database = database;
    this.limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.#options = options;
    this.#slots = new CallSlots(readCallLimits(options.calls));
    this.#agents = new AgentCache(database);
    this.#blueprints = new BlueprintCache(database);
    // A server can work on one statement while the coordinator reads and handles requests for the next. An embedded database
    // does one thing at a time.
    const atOnce = database.kind === "server" ? 2 : 1;
    this.#wakeups = new Wakeups(database);
    const lifecycle = new RunLifecycle(database, this.limits, (...topics) => this.#wakeups.wake(...topics));
    this.lifecycle = lifecycle;
    this.#created = new Batcher((runs) => lifecycle.create(runs), { atOnce });
    this.#claimed = new Batcher((claimants) => lifecycle.claim(claimants), { atOnce, keyOf: claimKey });
    this.#completed = new Batcher((reports) => lifecycle.completePlain(reports), { atOnce });
    this.trials = new HookTrials(this, options.callHttpHook);
    this.#report = options.report ?? ((error: unknown) => console.error(error));
    this.failures = new RepeatedFailures(this.#report);
    this.feed = new EventFeed(database, this.#wakeups, this.#report);
    this.#hookWorker = new HookWorker(this.lifecycle, this.#wakeups, this.limits, {
      attempt: options.attemptHttpHook ?? options.callHttpHook,
      slots: this.#slots,
      failures: this.failures,
      report: this.#report,
    });
  }

  async start(): Promise<void> {
    await this.#wakeups.start();
    await this.feed.start();
    const report = this.#report;
    const { sweepMs = 1_000, indexRuns = true, foldInsights = true, prices = NO_PRICES } = this.#options;
    const { failures } = this;
    const leases = new LeaseHealer({ hasStarted: true });
    if (indexRuns) {
      const indexer = new RunIndexer(this.database, this.feed, this.#wakeups, PART_SIZE, failures);
      this.#loops.push(new Loop((signal) => indexer.round(signal), report));
    }
    if (foldInsights !== false) {
      await prepareInsights(this.database);
      const folder = new InsightFolder(this.database, this.feed, this.#wakeups, prices, failures);
      const isFolding = () => foldInsights === true || foldInsights();
      this.#loops.push(
        new Loop((signal) => (isFolding() ? folder.round(signal) : pause(NOT_FOLDING_MS, signal)), report),
      );
    }
    const notes = new WaitingNotes(this.lifecycle, this.#slots);
    this.#loops.push(
      new Loop((signal) => notes.round(signal), report),
      new Loop((signal) => this.#hookWorker.round(signal), report),
      new Loop(async (signal) => {
        await sweep(this, failures, leases);
        await pause(sweepMs, signal);
      }, report),
    );
  }

  /** Call it after a commit that other calls may wait for. */
  wake(...topics: readonly Topic[]): void {
    this.#wakeups.wake(...topics);
  }

  async startRun(request: StartRunRequest, key?: string, origin?: RunOrigin): Promise<StartedRun> {
    const { database, lifecycle, limits } = this;
    const store = {
      database,
      lifecycle,
      limits,
      agents: this.#agents,
      create: (run: NewRun) => this.#create(run),
    };
    const started = await startRun(store, request, origin, key);
    if (started.run.state === "pending") this.#wakeups.wakeOne("work");
    // With a key the run was created in a transaction, which has committed only now.
    if (key !== undefined) this.wake("events");
    return started;
  }

  /** Creates a run, and gives it to a runner that waits for one. */
  async #create(wanted: NewRun): Promise<RunRow | NotCreated> {
    const reservation = this.#pollers.reserve(wanted);
    if (reservation === undefined) return this.#created.add(wanted);
    let claimed: ClaimedRun | undefined;
    try {
      const run = await this.#created.add({ ...wanted, reservation });
      if (typeof run === "object") claimed = { ...run, parent_session_id: wanted.parentSessionId ?? null };
      return run;
    } finally {
      reservation.settle(claimed);
    }
  }

  /** The next assignment for a runner; waits for one, not longer than asked. */
  async nextAssignment(
    claimant: Claimant,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<Assignment | undefined> {
    const until = performance.now() + waitMs;
    for (;;) {
      const seen = this.#wakeups.count("work");
      const order = await this.#stopOrder(claimant.runnerId);
      if (order !== undefined) return order;
      const run = await this.#claimed.add(claimant);
      if (run?.state === "claimed") return this.#assignment(run);
      // Its start hook has become due instead; this runner may execute that.
      if (run !== undefined) continue;
      // No run for this runner; there may be one for another, with other tags or a free slot.
      this.#wakeups.passOn("work");
      const left = until - performance.now();
      if (left <= 0 || signal.aborted) return undefined;
      // Not only by wake-ups: one may be lost, and runs that are retried become due by the clock.
      const given = await this.#waitForWork(claimant, Math.min(left, CLAIM_POLL_MS), signal, seen);
      if (given !== undefined) return this.#assignment(given);
    }
  }

  /** Waits until there may be a run to claim, or one was created for this claimant. */
  async #waitForWork(
    claimant: Claimant,
    waitMs: number,
    signal: AbortSignal,
    seen: number,
  ): Promise<ClaimedRun | undefined> {
    const { controller, release } = linkedController(signal);
    const poll = this.#pollers.enter(claimant, () => controller.abort());
    await this.#wakeups.wait("work", waitMs, controller.signal, seen);
    release();
    const reserved = poll.leave();
    // A simultaneous wake-up was for another run, which this claimant will not claim now.
    if (reserved !== undefined && this.#wakeups.count("work") > seen) this.#wakeups.passOn("work");
    return reserved;
  }

  async #assignment(run: ClaimedRun): Promise<Assignment> {
    return { type: "run", run, blueprint: await this.#blueprints.get(run.agent_name, run.revision) };
  }

  /** Reads stop orders when a run was stopped since the last poll of this runner, and once a second: not before every claim. */
  async #stopOrder(runnerId: string): Promise<Assignment | undefined> {
    const count = this.#wakeups.count("stops");
    const last = this.#stopChecks.get(runnerId);
    const now = performance.now();
    if (last !== undefined && last.count === count && now - last.at < CLAIM_POLL_MS) return undefined;
    this.#stopChecks.set(runnerId, { count, at: now });
    const order = await nextStopOrder(this.database, runnerId);
    if (order === undefined) return undefined;
    // There may be more than one.
    this.#stopChecks.delete(runnerId);
    return { type: "stop", runId: order.id, leaseToken: order.lease_token };
  }

  async completeRun(id: string, token: string, result: Result): Promise<Report> {
    const run = await this.#completed.add({ ...result, id, token });
    return run === undefined ? this.lifecycle.complete(id, token, result) : { type: "taken", run };
  }

  /** Waits until a run has ended, not longer than asked. Returns the run as it is then. */
  async waitForEnd(id: string, waitMs: number, signal: AbortSignal): Promise<RunRow | undefined> {
    return this.waitFor(
      () => readRun(this.database, id),
      ({ finished_at }) => finished_at !== null,
      id,
      waitMs,
      signal,
    );
  }

  /** Calls `read` after every event of a run, until the value is enough or the time is up. */
  async waitFor<T>(
    read: () => Promise<T | undefined>,
    isEnough: (value: T) => boolean,
    runId: string,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<T | undefined> {
    const until = performance.now() + waitMs;
    const news = new Latch();
    const unlisten = this.feed.listen((events: readonly EventRow[]) => {
      if (events.some((event) => event.run_id === runId)) news.set();
    });
    try {
      for (;;) {
        const value = await read();
        const left = until - performance.now();
        if (value === undefined || isEnough(value) || left <= 0 || signal.aborted) return value;
        await news.wait(Math.min(left, CLAIM_POLL_MS), signal);
      }
    } finally {
      unlisten();
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#loops.map((loop) => loop.stop()));
    await this.#hookWorker.close();
    await this.feed.close();
    await this.#wakeups.close();
  }
}

/** In case a wake-up was lost. */
const CLAIM_POLL_MS = 1_000;
/** How often it is asked whether events are to be added up. */
const NOT_FOLDING_MS = 100;
const MAX_RUNNERS = 10_000;
const NO_PRICES: Prices = { currency: "USD", models: {} };
