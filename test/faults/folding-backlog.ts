import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, openDatabase } from "@tenterhook/coordinator";
import type { Insights } from "@tenterhook/protocol/runs";
import { checkCosts, fillEvents, INSIGHT_CHECKS } from "@tenterhook/test-support";
import { expect } from "vitest";
import type { Endpoint } from "./follower.ts";
import { LiveProcess } from "./live-process.ts";
import type { OnEnd } from "./process-fleet.ts";

const LIMIT_MS = 120_000;
/** Not all models have a price, and prices are no whole numbers. */
const PRICES = { currency: "EUR", models: { "model-1": { input: 0.3, output: 1.7 } } };

/** A store with many events that are not in the sums of insights yet, and coordinators that add them up. */
export class FoldingBacklog {
  readonly coordinators: LiveProcess<Endpoint>[] = [];
  readonly #folder: string;
  readonly #url: string | undefined;

  private constructor(folder: string, url: string | undefined) {
    this.#folder = folder;
    this.#url = url;
  }

  static async make(events: number, url: string | undefined, onEnd: OnEnd): Promise<FoldingBacklog> {
    const folder = await mkdtemp(join(tmpdir(), "tenterhook-folding-"));
    const backlog = new FoldingBacklog(folder, url);
    onEnd(async () => {
      await backlog.#killAll();
      await rm(folder, { recursive: true, force: true });
    });
    await backlog.#withStore(async (database) => {
      for (const text of fillEvents(events)) await database.run({ name: "", text });
    });
    return backlog;
  }

  async start(n: number): Promise<void> {
    const folder = join(this.#folder, this.#url === undefined ? "store" : `coordinator-${n}`);
    const options = { folder, url: this.#url, port: 0, prices: PRICES };
    this.coordinators[n] = await LiveProcess.start("coordinator", options);
  }

  async kill(n: number): Promise<void> {
    await this.coordinators[n]?.kill();
  }

  /** Waits until more runs are counted, according to a coordinator. Fails when none are left. */
  async progress(n: number): Promise<void> {
    const counted = async () => (await this.#insights(n)).current.runs.created;
    const before = await counted();
    await expect.poll(counted, { timeout: LIMIT_MS, interval: 20 }).toBeGreaterThan(before);
    expect((await this.#insights(n)).behind_seconds).toBeGreaterThan(0);
  }

  /** Waits until every event is counted, kills the coordinators, and compares the sums with the events. */
  async problems(): Promise<string[]> {
    await expect.poll(async () => (await this.#insights(0)).behind_seconds, { timeout: LIMIT_MS }).toBe(0);
    await this.#killAll();
    return this.#withStore(async (database) => {
      const found: string[] = [];
      for (const [sentence, text] of [...INSIGHT_CHECKS, checkCosts(PRICES)]) {
        const rows = await database.run<{ id: string }>({ name: "", text, isLong: true });
        found.push(...rows.map(({ id }) => `${sentence}: ${id}`));
      }
      return found;
    });
  }

  async #insights(n: number): Promise<Insights> {
    const { url, token } = this.coordinators[n]?.ready ?? { url: "", token: "" };
    const headers = { authorization: `Bearer ${token}` };
    return (await (await fetch(`${url}/insights?range=month`, { headers })).json()) as Insights;
  }

  async #killAll(): Promise<void> {
    await Promise.all(this.coordinators.map((coordinator) => coordinator.kill()));
  }

  async #withStore<T>(work: (database: Database) => Promise<T>): Promise<T> {
    const database = await openDatabase({ folder: join(this.#folder, "store"), url: this.#url });
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  }
}
