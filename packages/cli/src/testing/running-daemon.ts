import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { type ClientRequest, request } from "node:http";
import { dirname, join } from "node:path";
import { residentFiles } from "@tenterhook/bridges/resident";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { onTestFinished } from "vitest";
import { BIN, ended, type Ran } from "./command-sandbox.ts";

const BRIDGE = join(dirname(BIN), "bridge", "bridge.js");

/** A call of a client, for the resident process or for the cold bridge. */
export interface ClientCall {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly text: string;
}

/** Runs a call by a process of its own. */
export function runCold({ args, env, cwd, text }: ClientCall): Promise<Ran> {
  const child = spawn(process.execPath, [BRIDGE, ...args], { cwd, env });
  child.stdin.on("error", () => undefined);
  child.stdin.end(text);
  return ended(child);
}

/** A resident process of a test, and what the installed script does with it. */
export class RunningDaemon {
  readonly files;
  readonly process: ChildProcess;
  readonly secret: string;
  readonly #about: string;

  private constructor(folder: string, daemon: ChildProcess) {
    this.files = residentFiles(folder);
    this.process = daemon;
    this.#about = readFileSync(this.files.about, "utf8");
    this.secret = this.#about.trim().split(" ")[1] ?? "";
  }

  static async start(...options: readonly string[]): Promise<RunningDaemon> {
    const parent = join(temporaryFolder(), "run");
    mkdirSync(parent, { mode: 0o700 });
    const folder = join(parent, "key");
    const daemon = spawn(process.execPath, [BRIDGE, "daemon", "--folder", folder, ...options], {
      env: { PATH: process.env.PATH ?? "" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void daemon.kill("SIGKILL"));
    await new Promise<void>((resolve, reject) => {
      daemon.stdout.once("data", () => resolve());
      daemon.once("exit", (code) => reject(new Error(`the daemon ended with ${code}`)));
    });
    return new RunningDaemon(folder, daemon);
  }

  /** What the script sends. */
  body({ args, env, cwd, text }: ClientCall, caller: number, about = this.#about): string {
    const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    const parts = [about.trim(), cwd, caller, args.length, ...args, ...variables];
    return `${parts.map((part) => `${part}\0`).join("")}1 (cat) R 999999999 1\n${about}${text}`;
  }

  /** The response to a call. `caller`: the process that waits; default: one of its own. */
  async call(call: ClientCall, caller: ChildProcess = startCaller()): Promise<string> {
    try {
      return (await this.send(this.body(call, caller.pid ?? 0))).text;
    } finally {
      caller.kill("SIGKILL");
    }
  }

  /** Sends a body; an error of the connection has status 0. */
  send(
    body: string,
    { path = "/call", isCut = false, began = (_: ClientRequest): void => undefined } = {},
  ): Promise<{ readonly status: number; readonly text: string }> {
    return new Promise((resolve) => {
      const headers = isCut ? { "content-length": Buffer.byteLength(body) + 1 } : {};
      const options = { socketPath: this.files.socket, path, method: "POST", headers };
      const sent = request(options, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => void chunks.push(chunk));
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
        );
        response.on("error", () => resolve({ status: 0, text: "" }));
      });
      sent.on("error", () => resolve({ status: 0, text: "" }));
      if (isCut) sent.write(body, () => setImmediate(() => sent.destroy()));
      else sent.end(body);
      began(sent);
    });
  }
}

/** A process in the place of the installed script, which waits. */
export function startCaller(before = ""): ChildProcess {
  const caller = spawn("/bin/sh", ["-c", `${before}exec sleep 600`], { stdio: "ignore" });
  onTestFinished(() => void caller.kill("SIGKILL"));
  return caller;
}
