import type { Database } from "./database/database.ts";

/** What somebody may wait for: runs to claim or to stop, hooks to carry out, events to tell. */
export type Topic = "work" | "stops" | "hooks" | "events";

const CHANNEL = "tenterhook";

/** Other coordinators are told at most this often: a notification takes a lock that every commit wants. */
const COALESCE_MS = 10;

/**
 * Wakes whoever waits, here at once and on other coordinators by NOTIFY. It is a hint and may be lost: everybody who waits
 * also looks for themselves now and then.
 */
export class Wakeups {
  readonly #database: Database;
  readonly #waiting: Record<Topic, Set<() => void>> = {
    work: new Set(),
    stops: new Set(),
    hooks: new Set(),
    events: new Set(),
  };
  /** How often each topic was woken. */
  readonly #counts: Record<Topic, number> = { work: 0, stops: 0, hooks: 0, events: 0 };
  readonly #untold = new Set<Topic>();
  #timer: NodeJS.Timeout | undefined;
  #unlisten: (() => Promise<void>) | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  async start(): Promise<void> {
    this.#unlisten = await this.#database.listen(CHANNEL, (payload) => {
      const topics =
        payload === "" ? (Object.keys(this.#waiting) as Topic[]) : (payload.split(",") as Topic[]);
      for (const topic of topics) this.#wakeHere(topic);
    });
  }

  /** Says that something has been committed. */
  wake(...topics: readonly Topic[]): void {
    for (const topic of topics) {
      this.#wakeHere(topic);
      this.#untold.add(topic);
    }
    // Nobody else uses an embedded database.
    if (this.#database.kind === "embedded") return;
    this.#timer ??= setTimeout(() => this.#tellOthers(), COALESCE_MS);
  }

  /** Grows whenever a topic is woken: for whoever wants to know whether there was anything since. */
  count(topic: Topic): number {
    return this.#counts[topic];
  }

  /** Waits for a topic, not longer than given, and not beyond the signal. */
  wait(topic: Topic, timeoutMs: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#waiting[topic].delete(done);
        signal?.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, timeoutMs);
      if (signal?.aborted) return done();
      signal?.addEventListener("abort", done, { once: true });
      this.#waiting[topic].add(done);
    });
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    for (const topic of Object.keys(this.#waiting) as Topic[]) this.#wakeHere(topic);
    await this.#unlisten?.();
  }

  #wakeHere(topic: Topic): void {
    this.#counts[topic]++;
    // Whoever waits for work is to hear of stops, too.
    if (topic === "stops") this.#wakeHere("work");
    for (const wake of [...(this.#waiting[topic] ?? [])]) wake();
  }

  #tellOthers(): void {
    this.#timer = undefined;
    const topics = [...this.#untold].join(",");
    this.#untold.clear();
    // Lost when the database is away; those who wait look for themselves then.
    this.#database.notify(CHANNEL, topics).catch(() => undefined);
  }
}
