import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, openDatabase } from "@tenterhook/coordinator";
import { type PostgresServer, startPostgres } from "@tenterhook/test-support";
import type { TestContext } from "vitest";
import { agents } from "./agents.ts";
import { Client } from "./client.ts";
import { FaultProxy } from "./fault-proxy.ts";
import { type Door, Follower } from "./follower.ts";
import { GuardedProject } from "./guarded-project.ts";
import { LiveProcess } from "./live-process.ts";
import { Moments } from "./moments.ts";
import { startReceiver } from "./receiver.ts";
import { SmallDisk } from "./small-disk.ts";

export interface WorldPlan {
  readonly store: "embedded" | "server";
  readonly coordinators: number;
  readonly runners: number;
  /** How many runs a runner takes at a time. Default 2. */
  readonly concurrency?: number;
  /** Default 2. */
  readonly leaseSeconds?: number;
  /** Whether an embedded store is on a disk of its own, which can be filled. */
  readonly hasSmallDisk?: boolean;
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
  /** Where the coordinator's store is, when that can be filled. */
  readonly disk: SmallDisk | undefined;
  /** Where runners work. */
  readonly project: GuardedProject;
  readonly #databaseUrl: string | undefined;
  #follower: Follower | undefined;

  readonly #atEnd: AtEnd;

  private constructor(plan: WorldPlan, atEnd: AtEnd, { folder, project, ...parts }: WorldParts) {
    this.plan = plan;
    this.#atEnd = atEnd;
    this.folder = folder;
    this.ledger = join(folder, "ledger");
    this.project = project;
    this.postgres = parts.postgres;
    this.disk = parts.disk;
    this.#databaseUrl = parts.databaseUrl;
  }

  static async start(plan: WorldPlan, atEnd: AtEnd): Promise<FaultWorld> {
    const folder = await mkdtemp(join(tmpdir(), "tenterhook-faults-"));
    const postgres = plan.store === "server" ? await startPostgres() : undefined;
    const databaseUrl = await postgres?.freshDatabase();
    const project = await GuardedProject.make(folder);
    const disk = plan.hasSmallDisk === true ? await smallDisk(folder) : undefined;
    const world = new FaultWorld(plan, atEnd, { folder, project, postgres, databaseUrl, disk });
    atEnd(() => world.#end());
    for (let n = 0; n < plan.coordinators; n += 1) await world.startCoordinator(n);
    world.#follower = new Follower(world.doors, world.moments);
    const all = [...agents(world.ledger, await startReceiver(atEnd)), project.agent];
    for (const each of all) await world.client.put(each);
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
    const options = {
      folder: join(this.disk?.folder ?? this.folder, `coordinator-${n}`),
      url: this.#databaseUrl,
      port: Number(new URL(this.coordinators[n]?.said.url ?? "http://any:0").port),
      limits: { leaseSeconds },
      sweepMs: 100,
      webhooks: { allowPrivate: true },
    };
    const started: CoordinatorProcess = await LiveProcess.start("coordinator", options, {
      before: this.disk?.enter,
    });
    this.coordinators[n] = started;
    this.proxies[n] ??= await FaultProxy.start(() => this.coordinators[n]?.said.url ?? "http://127.0.0.1:9");
    // One token for all: an idempotency key is its sender's own.
    this.doors[n] = { url: this.proxies[n].url, token: this.doors[0]?.token ?? started.said.token };
  }

  async startRunner(n: number): Promise<void> {
    const { concurrency = 2 } = this.plan;
    const door = this.doors[n % this.doors.length];
    const { folder: workDir, environment } = this.project;
    const dataDir = join(this.folder, `runner-${n}`);
    const options = { ...door, name: `runner-${n}`, concurrency, dataDir, workDir, environment };
    this.runners[n] = await LiveProcess.start("runner", options);
  }

  /** What the store holds, read without any coordinator's help. An embedded one must be nobody's for that. */
  async openStore(): Promise<Database> {
    this.disk?.copyTo(join(this.folder, "copy"));
    const folder = join(
      this.folder,
      this.disk === undefined ? "" : "copy",
      this.#databaseUrl === undefined ? "coordinator-0" : "reader",
    );
    const database = await openDatabase({ folder, url: this.#databaseUrl });
    this.#atEnd(() => database.close());
    return database;
  }

  async #end(): Promise<void> {
    await this.#follower?.close();
    for (const proxy of this.proxies) proxy.close();
    await Promise.all([...this.runners, ...this.coordinators].map((each) => each?.kill()));
    await this.postgres?.remove();
    await this.disk?.unmount();
    await rm(this.folder, { recursive: true, force: true });
  }
}

interface WorldParts {
  readonly folder: string;
  readonly project: GuardedProject;
  readonly postgres: PostgresServer | undefined;
  readonly databaseUrl: string | undefined;
  readonly disk: SmallDisk | undefined;
}

async function smallDisk(folder: string): Promise<SmallDisk> {
  const mounted = join(folder, "disk");
  await mkdir(mounted);
  return SmallDisk.mount(mounted);
}
