import { randomBytes } from "node:crypto";
import { createServer, type Server } from "node:net";
import {
  type About,
  type CallHead,
  formatMessage,
  type ResidentFiles,
  readRequest,
  residentFiles,
} from "@tenterhook/bridges/resident";
import { isSameSignature, signatureOf } from "@tenterhook/internal/files";
import type { BridgeOptions } from "../bridge/options.ts";
import type { DaemonReport } from "./ask-status.ts";
import { type Claim, claimFolder } from "./claim-folder.ts";
import { Connection } from "./connection.ts";
import { DaemonSetting } from "./daemon-setting.ts";
import { readProcessFacts } from "./process-facts.ts";
import { serveCall } from "./serve-call.ts";

export interface DaemonOptions {
  readonly folder: string;
  /** The files whose change ends it. */
  readonly program: readonly string[];
  /** How long it waits for a call before it ends, in milliseconds. */
  readonly idleMs: number;
  /** Called when it has ended, and why. */
  readonly ended: (why: string) => void;
}

/** More calls at once go to the cold bridge: each has the pipes of its hooks, and its text in memory. */
const MOST_CALLS = 200;
const CHECK_MS = 60_000;
/** After so many calls in a row from callers with other rights or limits, it ends: the first caller may have been the odd one. */
const MOST_UNLIKE_CALLERS = 5;
/** Calls that have found the socket before it was removed may connect for this long. */
const LAST_CALLS_MS = 500;

/** Answers calls of the bridge on a socket, each with the caller's environment and folder. */
export class Daemon {
  readonly #options: DaemonOptions;
  readonly #files: ResidentFiles;
  readonly #about: About = { pid: process.pid, secret: newSecret(), proof: newSecret() };
  readonly #facts = readProcessFacts(process.pid);
  readonly #program: readonly (readonly [string, ReturnType<typeof signatureOf>])[];
  readonly #setting = new DaemonSetting();
  readonly #server: Server;
  readonly #since = new Date().toISOString();
  readonly #timer: NodeJS.Timeout;
  #claim: Claim | undefined;
  #calls = 0;
  #active = 0;
  #unlikeCallers = 0;
  #lastCall = performance.now();
  #endReason: string | undefined;

  constructor(options: DaemonOptions) {
    this.#options = options;
    this.#files = residentFiles(options.folder);
    this.#program = options.program.map((path) => [path, signatureOf(path)]);
    this.#server = createServer((socket) => void this.#serve(new Connection(socket)));
    this.#timer = setInterval(() => this.#checkAll(), Math.min(CHECK_MS, options.idleMs));
  }

  /** Begins to listen. Rejects with the reason when it cannot. */
  async start(): Promise<void> {
    try {
      if (this.#facts === undefined)
        throw new Error("this system has no /proc, by which callers in a sandbox are recognised");
      this.#claim = await claimFolder(this.#files, this.#about, this.#server);
    } catch (error) {
      clearInterval(this.#timer);
      throw error;
    }
  }

  /** Takes no more calls, and ends when those that it has are answered. */
  end(why: string): void {
    if (this.#endReason !== undefined) return;
    this.#endReason = why;
    clearInterval(this.#timer);
    this.#claim?.remove();
    setTimeout(() => this.#endIfIdle(), LAST_CALLS_MS);
  }

  get report(): DaemonReport {
    return { pid: process.pid, since: this.#since, calls: this.#calls, active: this.#active };
  }

  #endIfIdle(): void {
    if (this.#active === 0 && this.#endReason !== undefined) this.#options.ended(this.#endReason);
  }

  async #serve(connection: Connection): Promise<void> {
    this.#active++;
    try {
      // The front is still compiling the rest of its program.
      if (this.#isReplaced()) this.end("its program was replaced");
      const request = readRequest(await connection.request, this.#about);
      if (request.type === "status") connection.end(this.#formatStatus());
      else if (await serveCall(request, connection, this.#about, this.#whyCold)) this.#calls++;
    } catch {
      // Without an answer the front decides by itself.
      connection.destroy();
    } finally {
      this.#active--;
      this.#lastCall = performance.now();
      if (this.#endReason !== undefined) setTimeout(() => this.#endIfIdle(), LAST_CALLS_MS);
      else this.#check();
    }
  }

  #formatStatus(): Buffer {
    const report = { ...this.report, active: this.#active - 1 };
    return formatMessage(`${this.#about.proof}\n${JSON.stringify(report)}`);
  }

  readonly #whyCold = async ({ front }: CallHead, { env }: BridgeOptions): Promise<string | undefined> => {
    if (this.#endReason !== undefined) return this.#endReason;
    if (this.#active > MOST_CALLS) return "too many calls at once";
    if (readProcessFacts(front) !== this.#facts) {
      this.#unlikeCallers++;
      if (this.#unlikeCallers === MOST_UNLIKE_CALLERS) this.end("its callers have other rights or limits");
      return "the caller has other rights or limits";
    }
    this.#unlikeCallers = 0;
    if (!(await this.#setting.isEnabled(env))) this.end("it is not turned on in hooks.toml");
    return this.#endReason;
  };

  /** Whether one of its files was changed: it would load others of another version. */
  #isReplaced(): boolean {
    return this.#program.some(([path, signature]) => !isSameSignature(signatureOf(path), signature));
  }

  #checkAll(): void {
    if (this.#isReplaced()) this.end("its program was replaced");
    else this.#check();
  }

  /** After every call. Its program is checked at the beginning of the next one. */
  #check(): void {
    if (this.#claim?.isOwn() === false) this.end("its socket was replaced");
    else if (this.#active === 0 && performance.now() - this.#lastCall >= this.#options.idleMs)
      this.end("no call has come for a long time");
  }
}

function newSecret(): string {
  return randomBytes(16).toString("hex");
}
