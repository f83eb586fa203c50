import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, openDatabase } from "@tenterhook/coordinator";
import { type PostgresServer, startPostgres } from "@tenterhook/test-support";
import type { TestContext } from "vitest";
import { agents } from "./agents.ts";
import { Client } from "./client.ts";
import { FaultProxy } from "./fault-proxy.ts";
import { type Door, Follower } from "./follower.ts";
import { LiveProcess } from "./live-process.ts";
import { Moments } from "./moments.ts";
import { startReceiver } from "./receiver.ts";

export interface WorldPlan {
  readonly store: "embedded" | "server";
  readonly coordinators: number;
  readonly runners: number;
  /** How many runs a runner takes at a time. Default 2. */
  readonly concurrency?: number;
  /** Default 2. */
  readonly leaseSeconds?: number;
}

/** Storms rage side by side, so each must say whose end is meant. */
export type AtEnd = TestContext["onTestFinished"];

type CoordinatorProcess = LiveProcess<Door>;
type RunnerProcess = LiveProcess<{ readonly id: string }>;

/** A fleet of real processes: a store, coordinators, runners, somebody who starts runs and somebody who follows them. */
export class FaultWorld {
  readonly plan: WorldPlan;
  readonly folder: string;
  readonly ledger: string;
  readonly moments = new Moments();
  readonly postgres: PostgresServer | undefined;
  readonly coordinators: CoordinatorProcess[] = [];
  readonly runners: RunnerProcess[] = [];
  /** Where the coordinators can be asked: at their proxies. */
  readonly doors: Door[] = [];
  readonly proxies: FaultProxy[] = [];
  readonly client = new Client(this.doors, this.moments);
  readonly #databaseUrl: string | undefined;
  #follower: Follower | undefined;

  readonly #atEnd: AtEnd;

  private constructor(
    plan: WorldPlan,
    atEnd: AtEnd,
    folder: string,
    postgres?: PostgresServer,
    databaseUrl?: string,
  ) {
    this.plan = plan;
    this.#atEnd = atEnd;
    this.folder = folder;
    this.ledger = join(folder, "ledger");
    this.postgres = postgres;
    this.#databaseUrl = databaseUrl;
  }

  static async start(plan: WorldPlan, atEnd: AtEnd): Promise<FaultWorld> {
    const folder = await mkdtemp(join(tmpdir(), "tenterhook-faults-"));
    const postgres = plan.store === "server" ? await startPostgres() : undefined;
    const world = new FaultWorld(plan, atEnd, folder, postgres, await postgres?.freshDatabase());
    atEnd(() => world.#end());
    for (let n = 0; n < plan.coordinators; n += 1) await world.startCoordinator(n);
    world.#follower = new Follower(world.doors, world.moments);
    for (const each of agents(world.ledger, await startReceiver(atEnd))) await world.client.put(each);
    await Promise.all(Array.from({ length: plan.runners }, (_, n) => world.startRunner(n)));
    return world;
  }

  get follower(): Follower {
    if (this.#follower === undefined) throw new Error("the world has not been started");
    return this.#follower;
  }

  /** What those who live now have last complained about. */
  get complaints(): string {
    return [...this.coordinators, ...this.runners].map((each) => each.complaints).join("\n");
  }

  /** Starts a coordinator; the second time it is where it was. */
  async startCoordinator(n: number): Promise<void> {
    const { leaseSeconds = 2 } = this.plan;
    const started: CoordinatorProcess = await LiveProcess.start("coordinator", {
      folder: join(this.folder, `coordinator-${n}`),
      url: this.#databaseUrl,
      port: Number(new URL(this.coordinators[n]?.said.url ?? "http://any:0").port),
      limits: { leaseSeconds },
      sweepMs: 100,
      webhooks: { allowPrivate: true },
    });
    this.coordinators[n] = started;
    this.proxies[n] ??= await FaultProxy.start(() => this.coordinators[n]?.said.url ?? "http://127.0.0.1:9");
    // One token for all: an idempotency key is its sender's own.
    this.doors[n] = { url: this.proxies[n].url, token: this.doors[0]?.token ?? started.said.token };
  }

  async startRunner(n: number): Promise<void> {
    const { concurrency = 2 } = this.plan;
    const door = this.doors[n % this.doors.length];
    const dataDir = join(this.folder, `runner-${n}`);
    const name = `runner-${n}`;
    this.runners[n] = await LiveProcess.start("runner", { ...door, name, concurrency, dataDir });
  }

  /** What the store holds, read without any coordinator's help. An embedded one must be nobody's for that. */
  async openStore(): Promise<Database> {
    const folder = join(this.folder, this.#databaseUrl === undefined ? "coordinator-0" : "reader");
    const database = await openDatabase({ folder, url: this.#databaseUrl });
    this.#atEnd(() => database.close());
    return database;
  }

  async #end(): Promise<void> {
    await this.#follower?.close();
    for (const proxy of this.proxies) proxy.close();
    await Promise.all([...this.runners, ...this.coordinators].map((each) => each?.kill()));
    await this.postgres?.remove();
    await rm(this.folder, { recursive: true, force: true });
  }
}
