import { randomUUID } from "node:crypto";
import { onAbort } from "@tenterhook/internal";
import type { Database } from "./database/database.ts";

/** What a call can wait for: runs to claim or to stop, hooks to execute, events to stream. */
const TOPICS = ["work", "stops", "hooks", "events"] as const;
export type Topic = (typeof TOPICS)[number];

const CHANNEL = "tenterhook";

/** Other coordinators are notified at most this often: a notification takes a lock that every commit needs. */
const COALESCE_MS = 20;

interface Waiter {
  wake(): void;
  /** The count of the topic when it last checked. */
  readonly seen: number;
}

/**
 * Wakes waiting calls, here at once and on other coordinators by NOTIFY. It is a hint and may be lost: every waiter also checks by
 * itself periodically.
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
  readonly #unsent = new Set<Topic>();
  #timer: NodeJS.Timeout | undefined;
  #unlisten: (() => Promise<void>) | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  async start(): Promise<void> {
    this.#unlisten = await this.#database.listen(CHANNEL, (payload) => {
      const [from, topics] = payload.split(":");
      // The waiters of this coordinator have been woken already.
      if (from === this.#id) return;
      for (const topic of TOPICS)
        if (payload === "" || topics?.split(",").includes(topic)) this.#wakeAll(topic);
    });
  }

  /** Call it after a commit that concerns all waiters of the topics. */
  wake(...topics: readonly Topic[]): void {
    for (const topic of topics) this.#wakeAll(topic);
    this.#notifySoon(topics);
  }

  /** Call it after a commit that one waiter can handle. If that one cannot, `passOn` wakes the next. */
  wakeOne(topic: Topic): void {
    this.#counts[topic]++;
    this.passOn(topic);
    this.#notifySoon([topic]);
  }

  /** Wakes one waiter that has not checked since the topic was last woken. */
  passOn(topic: Topic): void {
    for (const waiter of this.#waiting[topic]) {
      if (waiter.seen >= this.#counts[topic]) continue;
      waiter.wake();
      return;
    }
  }

  /** Grows whenever a topic is woken, so that a caller can see whether it was woken since. */
  count(topic: Topic): number {
    return this.#counts[topic];
  }

  /**
   * Waits for a topic, not longer than given, and not beyond the signal. `seen` is the topic's count from before the caller
   * checked: if the topic was woken since, the wait ends at once.
   */
  wait(topic: Topic, timeoutMs: number, signal?: AbortSignal, seen = this.#counts[topic]): Promise<void> {
    if (seen < this.#counts[topic] || signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#waiting[topic].delete(waiter);
        release();
        resolve();
      };
      const waiter = { wake: done, seen };
      const timer = setTimeout(done, timeoutMs);
      this.#waiting[topic].add(waiter);
      const release = onAbort(signal, done);
    });
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    for (const topic of TOPICS) this.#wakeAll(topic);
    await this.#unlisten?.();
  }

  #wakeAll(topic: Topic): void {
    this.#counts[topic]++;
    // Waiters for work also handle stop orders.
    if (topic === "stops") this.#wakeAll("work");
    for (const waiter of [...this.#waiting[topic]]) waiter.wake();
  }

  #notifySoon(topics: readonly Topic[]): void {
    // No other coordinator uses an embedded database.
    if (this.#database.kind === "embedded") return;
    for (const topic of topics) this.#unsent.add(topic);
    this.#timer ??= setTimeout(() => this.#notifyOthers(), COALESCE_MS);
  }

  #notifyOthers(): void {
    this.#timer = undefined;
    const topics = [...this.#unsent].join(",");
    this.#unsent.clear();
    // Lost when the database is unreachable; then waiters check by themselves.
    this.#database.notify(CHANNEL, `${this.#id}:${topics}`).catch(() => undefined);
  }
}
