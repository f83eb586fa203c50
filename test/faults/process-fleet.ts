import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, openDatabase } from "@tenterhook/coordinator";
import { HASTY, type PostgresServer, restartPort, startPostgres } from "@tenterhook/test-support";
import { agents } from "./agents.ts";
import { Client } from "./client.ts";
import { FaultProxy } from "./fault-proxy.ts";
import { type Endpoint, Follower } from "./follower.ts";
import { GuardedProject } from "./guarded-project.ts";
import { LiveProcess } from "./live-process.ts";
import { Occurrences } from "./occurrences.ts";
import { startReceiver } from "./receiver.ts";
import { SmallDisk } from "./small-disk.ts";
import { SmallTablespace } from "./small-tablespace.ts";

export interface FleetPlan {
  readonly store: "embedded" | "server";
  readonly coordinators: number;
  readonly runners: number;
  /** The number of parallel runs of a runner. Default 2. */
  readonly concurrency?: number;
  /** Default 2. */
  readonly leaseSeconds?: number;
  /** Whether the store is on a small disk that can be filled: the embedded one, or the tables of the server. */
  readonly hasSmallDisk?: boolean;
  /** The time limit of a statement. Default: the coordinator's. */
  readonly statementMs?: number;
  /** The time limit for waiting for a lock. Default: the coordinator's. */
  readonly lockMs?: number;
  /** Default 200. */
  readonly maxConnections?: number;
}

/** Tests run concurrently, so each passes its own callback. */
export type OnEnd = (end: () => void | Promise<void>) => void;

type CoordinatorProcess = LiveProcess<Endpoint>;
type RunnerProcess = LiveProcess<{ readonly id: string }>;

/** A fleet of real processes: a store, coordinators and runners, with a client and a subscriber. */
export class ProcessFleet {
  readonly plan: FleetPlan;
  readonly folder: string;
  readonly ledger: string;
  readonly occurrences = new Occurrences();
  readonly postgres: PostgresServer | undefined;
  readonly coordinators: CoordinatorProcess[] = [];
  readonly runners: RunnerProcess[] = [];
  /** The proxies of the coordinators. */
  readonly endpoints: Endpoint[] = [];
  readonly proxies: FaultProxy[] = [];
  readonly client = new Client(this.endpoints, this.occurrences);
  /** The disk of the coordinator's store, if it can be filled. */
  readonly disk: SmallDisk | undefined;
  /** The disk of the server's tables, if it can be filled. */
  readonly tablespace: SmallTablespace | undefined;
  /** The working folder of runners. */
  readonly project: GuardedProject;
  readonly databaseUrl: string | undefined;
  readonly #ports: number[] = [];
  #follower: Follower | undefined;

  readonly #onEnd: OnEnd;

  private constructor(plan: FleetPlan, onEnd: OnEnd, { folder, project, ...parts }: FleetParts) {
    this.plan = plan;
    this.#onEnd = onEnd;
    this.folder = folder;
    this.ledger = join(folder, "ledger");
    this.project = project;
    this.postgres = parts.postgres;
    this.disk = parts.disk;
    this.tablespace = parts.tablespace;
    this.databaseUrl = parts.databaseUrl;
  }

  static async start(plan: FleetPlan, onEnd: OnEnd): Promise<ProcessFleet> {
    const folder = await mkdtemp(join(tmpdir(), "tenterhook-faults-"));
    const settings = { ...HASTY, max_connections: String(plan.maxConnections ?? 200) };
    const postgres = plan.store === "server" ? await startPostgres(settings) : undefined;
    const isSmall = plan.hasSmallDisk === true;
    const tablespace = isSmall && postgres !== undefined ? await SmallTablespace.make(postgres) : undefined;
    const databaseUrl = tablespace?.databaseUrl ?? (await postgres?.freshDatabase());
    const project = await GuardedProject.make(folder);
    const disk = isSmall && postgres === undefined ? await smallDisk(folder) : undefined;
    const fleet = new ProcessFleet(plan, onEnd, { folder, project, postgres, databaseUrl, disk, tablespace });
    onEnd(() => fleet.#end());
    for (let n = 0; n < plan.coordinators; n += 1) await fleet.startCoordinator(n);
    fleet.#follower = new Follower(fleet.endpoints, fleet.occurrences);
    const all = [...agents(fleet.ledger, await startReceiver(onEnd)), project.agent];
    for (const each of all) await fleet.client.put(each);
    await Promise.all(Array.from({ length: plan.runners }, (_, n) => fleet.startRunner(n)));
    return fleet;
  }

  get follower(): Follower {
    if (this.#follower === undefined) throw new Error("the fleet has not been started");
    return this.#follower;
  }

  /** The last error output of all processes. */
  get errorOutput(): string {
    return [...this.coordinators, ...this.runners].map((each) => each.errorOutput).join("\n");
  }

  /** Starts a coordinator; a restart uses the same port. */
  async startCoordinator(n: number): Promise<void> {
    const { leaseSeconds = 2, statementMs, lockMs } = this.plan;
    this.#ports[n] ??= await restartPort();
    const options = {
      folder: join(this.disk?.folder ?? this.folder, `coordinator-${n}`),
      url: this.databaseUrl,
      statementMs,
      lockMs,
      port: this.#ports[n],
      limits: { leaseSeconds },
      sweepMs: 100,
      webhooks: { allowPrivate: true },
    };
    const started: CoordinatorProcess = await LiveProcess.start("coordinator", options, {
      before: this.disk?.enter,
    });
    this.coordinators[n] = started;
    this.proxies[n] ??= await FaultProxy.start(() => this.coordinators[n]?.ready.url ?? "http://127.0.0.1:9");
    // One token for all, because idempotency keys belong to a token.
    this.endpoints[n] = { url: this.proxies[n].url, token: this.endpoints[0]?.token ?? started.ready.token };
  }

  async startRunner(n: number): Promise<void> {
    const { concurrency = 2 } = this.plan;
    const endpoint = this.endpoints[n % this.endpoints.length];
    const { folder: workDir, environment } = this.project;
    const dataDir = join(this.folder, `runner-${n}`);
    const options = { ...endpoint, name: `runner-${n}`, concurrency, dataDir, workDir, environment };
    this.runners[n] = await LiveProcess.start("runner", options);
  }

  /** Opens the store without a coordinator; an embedded store must not be in use. */
  async openStore(): Promise<Database> {
    this.disk?.copyTo(join(this.folder, "copy"));
    const folder = join(
      this.folder,
      this.disk === undefined ? "" : "copy",
      this.databaseUrl === undefined ? "coordinator-0" : "reader",
    );
    const database = await openDatabase({ folder, url: this.databaseUrl });
    this.#onEnd(() => database.close());
    return database;
  }

  async #end(): Promise<void> {
    await this.#follower?.close();
    for (const proxy of this.proxies) proxy.close();
    await Promise.all([...this.runners, ...this.coordinators].map((each) => each?.kill()));
    await this.postgres?.remove();
    await this.disk?.unmount();
    await this.tablespace?.unmount();
    await rm(this.folder, { recursive: true, force: true });
  }
}

interface FleetParts {
  readonly folder: string;
  readonly project: GuardedProject;
  readonly postgres: PostgresServer | undefined;
  readonly databaseUrl: string | undefined;
  readonly disk: SmallDisk | undefined;
  readonly tablespace: SmallTablespace | undefined;
}

async function smallDisk(folder: string): Promise<SmallDisk> {
  const mounted = join(folder, "disk");
  await mkdir(mounted);
  return SmallDisk.mount(mounted);
}
