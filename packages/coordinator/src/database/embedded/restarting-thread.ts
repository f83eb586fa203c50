import { setTimeout as pause } from "node:timers/promises";
import { Backoff, messageOf } from "@tenterhook/internal";
import { unavailable } from "../sql-error.ts";
import type { FolderLock } from "./folder-lock.ts";
import { Thread } from "./thread.ts";

export interface ThreadEvents {
  /** A notice of the database. */
  notice(channel: string, payload: string): void;
  /** Prepares a new thread before its first statement: it has none of the settings of the one before. */
  restarted(thread: Thread): Promise<void>;
}

/**
 * The thread with the database, started again when it has ended by itself, such as when there was no room for its log.
 * Nothing that it had confirmed is lost: the next one reads it from the log.
 */
export class RestartingThread {
  readonly #folder: string;
  readonly #lock: FolderLock;
  readonly #events: ThreadEvents;
  readonly #closing = new AbortController();
  #thread: Thread;
  #trouble: Error | undefined;
  #watching: Promise<void>;

  static async start(folder: string, lock: FolderLock, events: ThreadEvents): Promise<RestartingThread> {
    return new RestartingThread(folder, lock, events, await Thread.start(folder, events.notice));
  }

  private constructor(folder: string, lock: FolderLock, events: ThreadEvents, thread: Thread) {
    this.#folder = folder;
    this.#lock = lock;
    this.#events = events;
    this.#thread = thread;
    this.#watching = this.#watch();
  }

  /** Why the database accepts no statements now, if so. */
  get trouble(): Error | undefined {
    // A thread that broke exits a moment later, and is replaced after that.
    return this.#trouble ?? this.#thread.end;
  }

  /** The current thread; a transaction stays on the one in which it began. Throws the reason if there is none. */
  get current(): Thread {
    if (this.#trouble !== undefined) throw this.#trouble;
    this.#checkLock();
    return this.#thread;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#thread.close();
    await this.#watching;
  }

  async #watch(): Promise<void> {
    const { signal } = this.#closing;
    for (;;) {
      const end = await this.#thread.ended;
      if (signal.aborted) return;
      this.#trouble ??= end;
      const backoff = new Backoff({ firstMs: 50, mostMs: 2_000 });
      while (this.#trouble !== undefined) {
        await pause(backoff.nextMs(), undefined, { signal, ref: false }).catch(() => {});
        if (signal.aborted) return;
        await this.#restart();
      }
    }
  }

  async #restart(): Promise<void> {
    try {
      this.#checkLock();
      const thread = await Thread.start(this.#folder, this.#events.notice);
      this.#thread = thread;
      await this.#events.restarted(thread);
      this.#trouble = undefined;
    } catch (error) {
      this.#trouble = error instanceof Error ? error : unavailable(messageOf(error));
    }
  }

  #checkLock(): void {
    try {
      this.#lock.check();
    } catch (error) {
      // Another process writes into the folder now: this one must stop at once.
      void this.#thread.terminate();
      throw error;
    }
  }
}
