import { Worker } from "node:worker_threads";
import { messageOf } from "@tenterhook/internal";
import type { Statement } from "../database.ts";
import type { Reply } from "../decode.ts";
import type { Text } from "../parameters.ts";
import { SqlError, unavailable } from "../sql-error.ts";
import type { FromWorker, ToWorker, WorkerStart } from "./messages.ts";

// The compiled file, also for tests that run from the sources: a thread has no TypeScript.
const WORKER = new URL("../../../dist/database/embedded/embedded-worker.js", import.meta.url);

interface Call {
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: Error) => void;
}

// Longer than any statement of the coordinator, and than the vacuum of a large table. It ends an engine in an endless loop.
const LONGEST_SILENCE_MS = 60_000;

type Notice = (channel: string, payload: string) => void;

/** The thread with the database, seen from outside. When it dies, active and later calls reject with `store_unavailable`. */
export class Thread {
  readonly #worker: Worker;
  readonly #notice: Notice;
  readonly #calls = new Map<number, Call>();
  readonly #ready: Promise<void>;
  /** Resolves when the thread has ended, with the reason. */
  readonly ended: Promise<Error>;
  #count = 0;
  #silence: NodeJS.Timeout | undefined;
  #end: Error | undefined;

  /** Opens the database in a folder, or makes one there. */
  static async start(folder: string, notice: Notice): Promise<Thread> {
    const start: WorkerStart = { folder };
    const thread = new Thread(new Worker(WORKER, { workerData: start, name: "tenterhook-database" }), notice);
    await Promise.race([thread.#ready, thread.ended]);
    if (thread.#end === undefined) return thread;
    throw unavailable(`The database in ${folder} cannot be opened. ${thread.#end.message}`, thread.#end);
  }

  private constructor(worker: Worker, notice: Notice) {
    this.#worker = worker;
    this.#notice = notice;
    this.#ready = new Promise((resolve) => worker.once("message", () => resolve()));
    this.ended = new Promise((resolve) =>
      worker.once("exit", () => resolve(this.#fail("The embedded database has ended."))),
    );
    worker.on("error", (error) => this.#fail(`The embedded database broke: ${messageOf(error)}`, error));
    worker.on("message", (message: FromWorker) => this.#receive(message));
  }

  /** Why it accepts no more statements. */
  get end(): Error | undefined {
    return this.#end;
  }

  send(statement: Statement, values: readonly Text[]): Promise<Reply> {
    if (this.#end !== undefined) return Promise.reject(this.#end);
    return new Promise((resolve, reject) => {
      this.#count += 1;
      if (this.#calls.size === 0) this.#startSilenceTimer();
      this.#calls.set(this.#count, { resolve, reject });
      this.#post({ type: "statement", id: this.#count, statement, values });
    });
  }

  /** Executes what was sent, writes the log, and ends the thread. */
  async close(): Promise<void> {
    if (this.#end === undefined) this.#startSilenceTimer();
    this.#post({ type: "close" });
    await this.ended;
  }

  /** Ends the thread at once, in the middle of a statement. */
  async terminate(): Promise<void> {
    this.#fail("The embedded database was ended.");
    await this.#worker.terminate();
  }

  /** Terminates an engine that does not answer for too long. */
  #startSilenceTimer(): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => {
      this.#fail("The embedded database does not answer.");
      void this.#worker.terminate();
    }, LONGEST_SILENCE_MS);
  }

  #post(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  #receive(message: FromWorker): void {
    switch (message.type) {
      case "reply":
        this.#removeCall(message.id)?.resolve(message.reply);
        break;
      case "refused":
        this.#removeCall(message.id)?.reject(new SqlError(message.error));
        break;
      case "notice":
        this.#notice(message.channel, message.payload);
        break;
      case "panic":
        this.#fail(`The embedded database broke: ${message.reason}`);
        break;
      case "ready":
        break;
    }
  }

  #removeCall(id: number): Call | undefined {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    if (this.#calls.size === 0) clearTimeout(this.#silence);
    else this.#silence?.refresh();
    return call;
  }

  #fail(message: string, cause?: unknown): Error {
    this.#end ??= unavailable(message, cause);
    for (const { reject } of this.#calls.values()) reject(this.#end);
    this.#calls.clear();
    clearTimeout(this.#silence);
    return this.#end;
  }
}
