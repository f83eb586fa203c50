import { randomUUID } from "node:crypto";
import type { Database } from "./database/database.ts";

/** What somebody may wait for: runs to claim or to stop, hooks to carry out, events to tell. */
export type Topic = "work" | "stops" | "hooks" | "events";

const TOPICS = ["work", "stops", "hooks", "events"] as const satisfies readonly Topic[];

const CHANNEL = "tenterhook";

/** Other coordinators are told at most this often: a notification takes a lock that every commit wants. */
const COALESCE_MS = 20;

interface Waiter {
  wake(): void;
  /** What it has looked for itself already. */
  readonly seen: number;
}

/**
 * Wakes whoever waits, here at once and on other coordinators by NOTIFY. It is a hint and may be lost: everybody who waits
 * also looks for themselves now and then.
 */
export class Wakeups {
  readonly #database: Database;
  readonly #id = randomUUID();
  readonly #waiting: Readonly<Record<Topic, Set<Waiter>>> = {
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
      const [from, topics] = payload.split(":");
      // What was said here has been heard here already.
      if (from === this.#id) return;
      for (const topic of TOPICS)
        if (payload === "" || topics?.split(",").includes(topic)) this.#wakeAll(topic);
    });
  }

  /** Says that something has been committed that concerns everybody who waits. */
  wake(...topics: readonly Topic[]): void {
    for (const topic of topics) this.#wakeAll(topic);
    this.#tellSoon(topics);
  }

  /** Says that there is one more thing to do: one who waits will do. If that one cannot, `passOn` wakes the next. */
  wakeOne(topic: Topic): void {
    this.#counts[topic]++;
    this.passOn(topic);
    this.#tellSoon([topic]);
  }

  /** Wakes one who has not looked since something was last said. */
  passOn(topic: Topic): void {
    for (const waiter of this.#waiting[topic]) {
      if (waiter.seen >= this.#counts[topic]) continue;
      waiter.wake();
      return;
    }
  }

  /** Grows whenever a topic is woken: for whoever wants to know whether there was anything since. */
  count(topic: Topic): number {
    return this.#counts[topic];
  }

  /**
   * Waits for a topic, not longer than given, and not beyond the signal. `seen` is the topic's count from before the caller
   * looked: what was said since ends the wait at once.
   */
  wait(topic: Topic, timeoutMs: number, signal?: AbortSignal, seen = this.#counts[topic]): Promise<void> {
    if (seen < this.#counts[topic] || signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#waiting[topic].delete(waiter);
        signal?.removeEventListener("abort", done);
        resolve();
      };
      const waiter = { wake: done, seen };
      const timer = setTimeout(done, timeoutMs);
      signal?.addEventListener("abort", done, { once: true });
      this.#waiting[topic].add(waiter);
    });
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    for (const topic of TOPICS) this.#wakeAll(topic);
    await this.#unlisten?.();
  }

  #wakeAll(topic: Topic): void {
    this.#counts[topic]++;
    // Whoever waits for work is to hear of stops, too.
    if (topic === "stops") this.#wakeAll("work");
    for (const waiter of [...this.#waiting[topic]]) waiter.wake();
  }

  #tellSoon(topics: readonly Topic[]): void {
    // Nobody else uses an embedded database.
    if (this.#database.kind === "embedded") return;
    for (const topic of topics) this.#untold.add(topic);
    this.#timer ??= setTimeout(() => this.#tellOthers(), COALESCE_MS);
  }

  #tellOthers(): void {
    this.#timer = undefined;
    const topics = [...this.#untold].join(",");
    this.#untold.clear();
    // Lost when the database is away; those who wait look for themselves then.
    this.#database.notify(CHANNEL, `${this.#id}:${topics}`).catch(() => undefined);
  }
}
