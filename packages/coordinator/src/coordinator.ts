import type { Database } from "./database/database.ts";
import { EventFeed } from "./events/feed.ts";
import { HookKeeper, type HttpHookCaller } from "./hooks/hook-keeper.ts";
import { Loop } from "./loop.ts";
import { nextStopOrder } from "./runners/runner-rows.ts";
import { type Claimant, type ClaimedRun, claimRun } from "./runs/claim-run.ts";
import { DEFAULT_LIMITS, type Limits } from "./runs/limits.ts";
import { completePlainRun, type Report, type Result, reportCompleted } from "./runs/reports.ts";
import { readRun } from "./runs/run-changes.ts";
import { type RunRequest, type StartedRun, startRun } from "./runs/start-run.ts";
import type { EventRow, RunRow } from "./store/rows.ts";
import { sweep } from "./sweeps/sweep.ts";
import { type Topic, Wakeups } from "./wakeups.ts";

export interface CoordinatorOptions {
  readonly limits?: Partial<Limits>;
  /** Calls http hooks. */
  readonly callHttpHook: HttpHookCaller;
  /** How often to look for what is overdue. Default 1,000. */
  readonly sweepMs?: number;
  /** Takes what went wrong and nobody asked about. */
  readonly report?: (error: unknown) => void;
}

/** What a runner is given when it asks for work. */
export type Assignment =
  | { readonly type: "run"; readonly run: ClaimedRun }
  | { readonly type: "stop"; readonly runId: string; readonly leaseToken: string };

/** Runs over one database. Whatever is under way is in there: any number of coordinators may share it, and any may die. */
export class Coordinator {
  readonly database: Database;
  readonly limits: Limits;
  readonly feed: EventFeed;
  readonly #wakeups: Wakeups;
  readonly #keeper: HookKeeper;
  readonly #loops: Loop[] = [];
  readonly #options: CoordinatorOptions;

  constructor(database: Database, options: CoordinatorOptions) {
    this.database = database;
    this.limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.#options = options;
    this.#wakeups = new Wakeups(database);
    this.feed = new EventFeed(database, this.#wakeups);
    this.#keeper = new HookKeeper(database, this.#wakeups, this.limits, options.callHttpHook);
  }

  async start(): Promise<void> {
    await this.#wakeups.start();
    await this.feed.start();
    const report = this.#options.report ?? ((error: unknown) => console.error(error));
    const { sweepMs = 1_000 } = this.#options;
    this.#loops.push(
      new Loop((signal) => this.#keeper.round(signal), report),
      new Loop(async (signal) => {
        if (await sweep(this.database, this.limits)) this.wake("work", "hooks", "events");
        await new Promise<void>((resolve) => {
          const timer = setTimeout(done, sweepMs);
          signal.addEventListener("abort", done, { once: true });
          function done() {
            clearTimeout(timer);
            signal.removeEventListener("abort", done);
            resolve();
          }
        });
      }, report),
    );
  }

  /** Says that something was committed that others may wait for. */
  wake(...topics: readonly Topic[]): void {
    this.#wakeups.wake(...topics);
  }

  async startRun(request: RunRequest, key?: string): Promise<StartedRun> {
    const started = await startRun(this.database, request, key);
    this.wake("work", "events");
    return started;
  }

  /** The next thing for a runner to do; waits for one, not longer than asked. */
  async nextAssignment(
    claimant: Claimant,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<Assignment | undefined> {
    const until = performance.now() + waitMs;
    for (;;) {
      const order = await nextStopOrder(this.database, claimant.runnerId);
      if (order !== undefined) return { type: "stop", runId: order.id, leaseToken: order.lease_token };
      const run = await claimRun(this.database, claimant);
      if (run !== undefined) {
        this.wake("events");
        if (run.state === "claimed") return { type: "run", run };
        // Its start hook has become due instead; the runner may be just the one to carry that out.
        this.wake("hooks");
        continue;
      }
      const left = until - performance.now();
      if (left <= 0 || signal.aborted) return undefined;
      // Not only by wake-ups: one may be lost, and runs that are tried again become due by the clock.
      await this.#wakeups.wait("work", Math.min(left, CLAIM_POLL_MS), signal);
    }
  }

  async completeRun(id: string, token: string, result: Result): Promise<Report> {
    const run = await completePlainRun(this.database, id, token, result);
    const report =
      run === undefined
        ? await this.database.transaction((queries) =>
            reportCompleted(queries, id, token, result, this.limits),
          )
        : ({ type: "taken", run } as const);
    this.wake("work", "hooks", "events");
    return report;
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

  /** Reads something of a run again whenever something happens to the run, until it is as wanted or the time is up. */
  async waitFor<T>(
    read: () => Promise<T | undefined>,
    isEnough: (value: T) => boolean,
    runId: string,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<T | undefined> {
    const until = performance.now() + waitMs;
    let wake = () => {};
    let hasNews = false;
    const unlisten = this.feed.listen((events: readonly EventRow[]) => {
      if (!events.some((event) => event.run_id === runId)) return;
      hasNews = true;
      wake();
    });
    try {
      for (;;) {
        hasNews = false;
        const value = await read();
        const left = until - performance.now();
        if (value === undefined || isEnough(value) || left <= 0 || signal.aborted) return value;
        if (hasNews) continue;
        await new Promise<void>((resolve) => {
          const timer = setTimeout(done, Math.min(left, CLAIM_POLL_MS));
          signal.addEventListener("abort", done, { once: true });
          wake = done;
          function done() {
            clearTimeout(timer);
            signal.removeEventListener("abort", done);
            resolve();
          }
        });
      }
    } finally {
      unlisten();
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#loops.map((loop) => loop.stop()));
    await this.#keeper.close();
    await this.feed.close();
    await this.#wakeups.close();
  }
}

/** The net under the wake-ups. */
const CLAIM_POLL_MS = 1_000;
