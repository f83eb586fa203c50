import { hostname } from "node:os";
import { guardProcesses } from "@tenterhook/engine/process";
import { LONGEST_TIMER_MS, onAbort } from "@tenterhook/internal";
import type { AssignedRun } from "@tenterhook/protocol/runs";
import { ActiveRuns } from "./claims/active-runs.ts";
import { Heartbeat } from "./claims/heartbeat.ts";
import { LeasedRun } from "./claims/leased-run.ts";
import { Poller } from "./claims/poller.ts";
import { Registration } from "./claims/registration.ts";
import { executeRun } from "./execute/execute-run.ts";
import type { Task } from "./execute/task.ts";
import { ConnectionStatus } from "./link/connection-status.ts";
import { CoordinatorLink } from "./link/coordinator-link.ts";
import type { Machine } from "./machine/machine.ts";
import { type RunnerOptions, type RunnerSettings, runnerSettings } from "./runner-options.ts";

/** How long runs may take to be reported after they were stopped. */
const REPORT_GRACE_MS = 2_000;

/** How long the end of the runner may take to be reported. */
const LEAVE_MS = 1_000;

const SHUTTING_DOWN = "the runner is shutting down";

/**
 * Claims runs from a coordinator and executes them.
 *
 *   start ── registered ── polls for runs, beats for its leases ── drain ── nothing is left ── finished
 */
export class Runner {
  readonly #settings: RunnerSettings;
  readonly #link: CoordinatorLink;
  readonly #registration: Registration;
  readonly #activeRuns: ActiveRuns;
  readonly #poller: Poller;
  readonly #heartbeat: Heartbeat;
  /** Ends everything that is not a run. */
  readonly #ending = new AbortController();
  /** Ends the waiting for runs that do not end. */
  readonly #waiting = new AbortController();
  /** Work that continues after runs have ended, such as background hooks. */
  readonly #background = new Set<Promise<unknown>>();
  #heartbeats: Promise<void> | undefined;
  #drained: Promise<void> | undefined;
  #reportTimer: NodeJS.Timeout | undefined;

  /** Throws `bad_runner` for an invalid option. */
  constructor(options: RunnerOptions) {
    this.#settings = runnerSettings(options);
    const { name, tags, concurrency, pollSeconds, log, machine } = this.#settings;
    this.#link = new CoordinatorLink(this.#settings, new ConnectionStatus(log));
    this.#registration = new Registration(this.#link, {
      name,
      tags: [...tags],
      concurrency,
      info: describeMachine(machine),
    });
    this.#activeRuns = new ActiveRuns(concurrency);
    this.#poller = new Poller({
      link: this.#link,
      registration: this.#registration,
      activeRuns: this.#activeRuns,
      take: (run) => this.#take(run),
      waitSeconds: pollSeconds,
      log,
    });
    this.#heartbeat = new Heartbeat(this.#link, this.#registration, this.#activeRuns, log);
  }

  /** How the coordinator knows it; `undefined` before it has been registered. */
  get id(): string | undefined {
    return this.#registration.current?.runnerId;
  }

  /** Registers and begins. Waits for a coordinator that cannot be reached yet; rejects when it refuses the runner. */
  async start(): Promise<void> {
    const { name, concurrency, url, log } = this.#settings;
    const { signal } = this.#ending;
    const { runnerId } = await this.#registration.renew(signal);
    signal.throwIfAborted();
    guardProcesses();
    log(`${name} is ${runnerId} at ${url}, and takes ${concurrency} at a time`);
    this.#poller.start();
    this.#heartbeats = this.#heartbeat.beat(signal);
  }

  /**
   * Takes no more runs, waits for those that it has, and stops them when the time is up. Resolves when it has ended. May be
   * called again with less time.
   */
  async drain({ timeoutMs }: { readonly timeoutMs?: number } = {}): Promise<void> {
    const patienceMs = timeoutMs ?? this.#settings.drainSeconds * 1_000;
    const timer = setTimeout(() => this.#stopRuns(), Math.min(patienceMs, LONGEST_TIMER_MS));
    this.#drained ??= this.#drain();
    await this.#drained;
    clearTimeout(timer);
  }

  /** Stops all runs now, reports that, and ends. */
  stop(): Promise<void> {
    return this.drain({ timeoutMs: 0 });
  }

  #take(assigned: AssignedRun): void {
    const { log, machine } = this.#settings;
    const leaseMs = this.#registration.current?.leaseMs ?? 0;
    const work = (task: Task) => executeRun(task, machine);
    const run = new LeasedRun(assigned, { link: this.#link, leaseMs, work, log });
    this.#activeRuns.add(run);
    if (this.#reportTimer !== undefined) run.stop(SHUTTING_DOWN);
    void run.execute().then(({ background }) => {
      this.#background.add(background);
      void background.finally(() => this.#background.delete(background));
      this.#activeRuns.remove(run);
    });
  }

  async #drain(): Promise<void> {
    const { log } = this.#settings;
    const { live } = this.#activeRuns;
    log(live.length === 0 ? "ending" : `taking no more runs; ${live.length} to end`);
    this.#poller.drain();
    await this.#runsEnded();
    await this.#poller.close();
    // An answer with a run may have been on its way.
    await this.#runsEnded();
    await Promise.race([
      Promise.all(this.#background),
      new Promise<void>((resolve) => onAbort(this.#waiting.signal, resolve)),
    ]);
    this.#ending.abort(new Error("the runner has ended"));
    await this.#heartbeats;
    clearTimeout(this.#reportTimer);
    // If it cannot be reported, or the coordinator is of an earlier version, the runner counts as lost for a while.
    if (this.id !== undefined) await this.#link.leave(this.id, LEAVE_MS).catch(() => undefined);
    this.#link.close();
    log("ended");
  }

  async #runsEnded(): Promise<void> {
    const { signal } = this.#waiting;
    while (!this.#activeRuns.isEmpty && !signal.aborted) await this.#activeRuns.changes.next(signal);
  }

  #stopRuns(): void {
    for (const run of this.#activeRuns.live) run.stop(SHUTTING_DOWN);
    this.#reportTimer ??= setTimeout(() => {
      for (const run of this.#activeRuns.live) run.lose("the runner ends, and it could not be reported");
      this.#waiting.abort();
    }, REPORT_GRACE_MS);
  }
}

/** What people are shown of the machine: names only. */
function describeMachine({ models, tools, mcpServers }: Machine): Record<string, unknown> {
  return {
    host: hostname(),
    pid: process.pid,
    node: process.version,
    platform: process.platform,
    models: Object.keys(models),
    tools: Object.keys(tools),
    mcp_servers: Object.keys(mcpServers),
  };
}
