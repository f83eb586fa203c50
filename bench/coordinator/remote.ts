import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A coordinator in another process, and a way to ask it that costs little here. */
export class RemoteCoordinator {
  readonly url: URL;
  readonly token: string;
  readonly #process: ChildProcess;
  readonly #folder: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 });

  private constructor(url: string, token: string, child: ChildProcess, folder: string) {
    this.url = new URL(url);
    this.token = token;
    this.#process = child;
    this.#folder = folder;
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

  ask(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ readonly status: number; readonly body: unknown }> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${this.token}`,
      ...(text !== undefined && {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(text),
      }),
    };
    return new Promise((resolve, reject) => {
      const { hostname, port } = this.url;
      const sent = request({ agent: this.#agent, hostname, port, method, path, headers }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("end", () => {
          const said = Buffer.concat(chunks).toString();
          resolve({ status: answer.statusCode ?? 0, body: said === "" ? undefined : JSON.parse(said) });
        });
      });
      sent.on("error", reject);
      sent.end(text);
    });
  }

  /** The same, and throws unless it went well. */
  async demand<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.ask(method, path, body);
    if (answer.status >= 300)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as T;
  }

  async close(): Promise<void> {
    this.#agent.destroy();
    this.#process.kill("SIGTERM");
    await once(this.#process, "exit");
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
