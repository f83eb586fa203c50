import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type ThinAnswer, ThinClient } from "./thin-client.ts";

/** A coordinator in another process, and a way to ask it that costs little here. */
export class RemoteCoordinator {
  readonly url: URL;
  readonly token: string;
  readonly #process: ChildProcess;
  readonly #folder: string;
  readonly #client: ThinClient;

  private constructor(url: string, token: string, child: ChildProcess, folder: string) {
    this.url = new URL(url);
    this.token = token;
    this.#process = child;
    this.#folder = folder;
    this.#client = new ThinClient(this.url, token);
  }

  static async start(databaseUrl: string | undefined): Promise<RemoteCoordinator> {
    const folder = mkdtempSync(join(tmpdir(), "tenterhook-bench-"));
    const program = fileURLToPath(new URL("server-process.js", import.meta.url));
    const args = databaseUrl === undefined ? [program, folder] : [program, folder, databaseUrl];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    const lines = createInterface({ input: child.stdout });
    const [line] = (await once(lines, "line")) as [string];
    const { url, token } = JSON.parse(line) as { url: string; token: string };
    return new RemoteCoordinator(url, token, child, folder);
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /** Asks, and throws unless it went well. */
  async ask(method: string, path: string, body?: unknown): Promise<ThinAnswer> {
    const answer = await this.#client.ask(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer;
  }

  /** The same, and reads the answer. */
  async demand<T>(method: string, path: string, body?: unknown): Promise<T> {
    return JSON.parse((await this.ask(method, path, body)).text) as T;
  }

  async close(): Promise<void> {
    this.#client.close();
    this.#process.kill("SIGTERM");
    await once(this.#process, "exit");
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
