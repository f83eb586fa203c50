import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { nextMessage } from "../next-message.ts";
import { fillQuickly } from "./fill-quickly.ts";
import type { Executed, RemoteOptions, Usage } from "./server-process.ts";
import { ThinClient } from "./thin-client.ts";

/** What a runner is given. */
export interface Assigned {
  readonly run: { readonly run_id: string; readonly lease_token: string };
}

/** A coordinator in another process, and a way to ask it that costs little here. */
export class RemoteCoordinator {
  readonly url: URL;
  readonly token: string;
  readonly #process: ChildProcess;
  readonly #folder: string;
  readonly client: ThinClient;

  private constructor(url: string, token: string, child: ChildProcess, folder: string) {
    this.url = new URL(url);
    this.token = token;
    this.#process = child;
    this.#folder = folder;
    this.client = new ThinClient(this.url, token);
  }

  static async start(
    databaseUrl: string | undefined,
    options: RemoteOptions = {},
  ): Promise<RemoteCoordinator> {
    const folder = mkdtempSync(join(tmpdir(), "tenterhook-bench-"));
    const program = fileURLToPath(new URL("server-process.js", import.meta.url));
    const args = [folder, JSON.stringify(options), databaseUrl].filter((arg) => arg !== undefined);
    const child = fork(program, args, { execArgv: ["--expose-gc"] });
    const { url, token } = await nextMessage<{ url: string; token: string }>(child, "the coordinator");
    return new RemoteCoordinator(url, token, child, folder);
  }

  /** An agent to run, and a runner that can execute it. */
  async prepare(): Promise<void> {
    await this.client.ask("PUT", "/agents/echo", { name: "echo", type: "procedural", command: ["cat"] });
    await this.client.ask("POST", "/runner/register", {
      runner_id: "bench",
      name: "bench",
      concurrency: 100,
    });
  }

  /** What its process has used so far. */
  async usage(): Promise<Usage> {
    this.#process.send("usage");
    return nextMessage(this.#process, "the coordinator");
  }

  /** The longest delay of its event loop since it was last asked, in nanoseconds. */
  async longestDelay(): Promise<number> {
    this.#process.send("delay");
    return (await nextMessage<{ longestNs: number }>(this.#process, "the coordinator")).longestNs;
  }

  /** Whether it adds up events for insights from now on. */
  async setFolding(isFolding: boolean): Promise<void> {
    this.#process.send(isFolding ? "fold" : "do not fold");
    await nextMessage(this.#process, "the coordinator");
  }

  /** Runs a statement on its database. */
  async execute(text: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    this.#process.send(text);
    const { rows, error } = await nextMessage<Executed>(this.#process, "the coordinator");
    if (error !== undefined) throw new Error(`${text}: ${error}`);
    return rows;
  }

  /** Waits until it has read all events. */
  async haveRead(): Promise<void> {
    this.#process.send("read");
    const { error } = await nextMessage<{ error?: string }>(this.#process, "the coordinator");
    if (error !== undefined) throw new Error(error);
  }

  /** Stores so many runs. */
  fill(runs: number): Promise<void> {
    return fillQuickly((text) => this.execute(text), runs);
  }

  async close(): Promise<void> {
    this.client.close();
    this.#process.kill("SIGTERM");
    await once(this.#process, "exit");
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
