import { hostname } from "node:os";
import { guardProcesses } from "@tenterhook/engine/process";
import type { AssignedRun } from "@tenterhook/protocol/runs";
import { LONGEST_TIMER_MS } from "@tenterhook/protocol/support";
import { carryOutRun } from "./carry-out/carry-out-run.ts";
import type { Task } from "./carry-out/task.ts";
import { Heartbeat } from "./claims/heartbeat.ts";
import { HeldRun } from "./claims/held-run.ts";
import { Holdings } from "./claims/holdings.ts";
import { Poller } from "./claims/poller.ts";
import { Registration } from "./claims/registration.ts";
import { CoordinatorLink } from "./link/coordinator-link.ts";
import { Presence } from "./link/presence.ts";
import type { Machine } from "./machine/machine.ts";
import { type RunnerOptions, type RunnerSettings, runnerSettings } from "./runner-options.ts";

/** How long runs have to be reported after they were told to end. */
const FAREWELL_MS = 2_000;

const SHUTTING_DOWN = "the runner is shutting down";

/**
 * Claims runs from a coordinator and carries them out.
 *
 *   start ── registered ── polls for runs, beats for its leases ── drain ── nothing is left ── finished
 */
export class Runner {
  readonly #settings: RunnerSettings;
  readonly #link: CoordinatorLink;
  readonly #registration: Registration;
  readonly #holdings: Holdings;
  readonly #poller: Poller;
  readonly #heartbeat: Heartbeat;
  /** Ends everything that is not a run. */
  readonly #ending = new AbortController();
  /** Ends the waiting for runs that do not end. */
  readonly #farewell = new AbortController();
  /** What goes on after runs have ended, such as hooks in the background. */
  readonly #rests = new Set<Promise<unknown>>();
  #beating: Promise<void> | undefined;
  #drained: Promise<void> | undefined;
  #farewellTimer: NodeJS.Timeout | undefined;

  /** Throws `bad_runner` when an option makes no sense. */
  constructor(options: RunnerOptions) {
    this.#settings = runnerSettings(options);
    const { name, tags, concurrency, pollSeconds, log, machine } = this.#settings;
    this.#link = new CoordinatorLink(this.#settings, new Presence(log));
    this.#registration = new Registration(this.#link, {
      name,
      tags: [...tags],
      concurrency,
      info: infoOf(machine),
    });
    this.#holdings = new Holdings(concurrency);
    this.#poller = new Poller({
      link: this.#link,
      registration: this.#registration,
      holdings: this.#holdings,
      take: (run) => this.#take(run),
      waitSeconds: pollSeconds,
      log,
    });
    this.#heartbeat = new Heartbeat(this.#link, this.#registration, this.#holdings, log);
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
    this.#beating = this.#heartbeat.beat(signal);
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
    const work = (task: Task) => carryOutRun(task, machine);
    const run = new HeldRun(assigned, { link: this.#link, leaseMs, work, log });
    this.#holdings.add(run);
    if (this.#farewellTimer !== undefined) run.stop(SHUTTING_DOWN);
    void run.carryOut().then(({ rest }) => {
      this.#rests.add(rest);
      void rest.finally(() => this.#rests.delete(rest));
      this.#holdings.remove(run);
    });
  }

  async #drain(): Promise<void> {
    const { log } = this.#settings;
    const { live } = this.#holdings;
    log(live.length === 0 ? "ending" : `taking no more runs; ${live.length} to end`);
    this.#poller.drain();
    await this.#runsEnded();
    await this.#poller.close();
    // An answer may have been on its way, and a run in it.
    await this.#runsEnded();
    await Promise.race([Promise.all(this.#rests), aborted(this.#farewell.signal)]);
    this.#ending.abort(new Error("the runner has ended"));
    await this.#beating;
    clearTimeout(this.#farewellTimer);
    this.#link.close();
    log("ended");
  }

  async #runsEnded(): Promise<void> {
    const { signal } = this.#farewell;
    while (!this.#holdings.isEmpty && !signal.aborted) await this.#holdings.changes.next(signal);
  }

  #stopRuns(): void {
    for (const run of this.#holdings.live) run.stop(SHUTTING_DOWN);
    this.#farewellTimer ??= setTimeout(() => {
      for (const run of this.#holdings.live) run.lose("the runner ends, and it could not be reported");
      this.#farewell.abort();
    }, FAREWELL_MS);
  }
}

/** What people are shown of the machine: names, and nothing that is behind them. */
function infoOf({ models, tools, mcpServers }: Machine): Record<string, unknown> {
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

function aborted(signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener("abort", resolve, { once: true });
  });
}
