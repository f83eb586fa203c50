import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { dirname, join } from "node:path";
import type { Readable, Writable } from "node:stream";
import {
  type About,
  formatMessage,
  MessageReader,
  readAbout,
  residentFiles,
} from "@tenterhook/bridges/resident";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { onTestFinished } from "vitest";
import { BIN, ended, type Ran } from "./command-sandbox.ts";

/** The first file of the bridge. */
export const BRIDGE = join(dirname(BIN), "bridge", "bridge.js");

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

/** A process in the place of the installed script and of its front. */
type Caller = ChildProcessByStdio<Writable, Readable, null>;

/** What a resident process sent: whether it took the call, and its answer. Absent where it closed the connection before. */
export interface DaemonResponse {
  readonly decision?: string;
  /** Exit code, standard error and standard output. */
  readonly answer?: readonly string[];
}

/** A resident process of a test, and what the installed script does with it. */
export class RunningDaemon {
  readonly files;
  readonly process: ChildProcess;
  readonly about: About;

  private constructor(folder: string, daemon: ChildProcess) {
    this.files = residentFiles(folder);
    this.process = daemon;
    const about = readAbout(this.files);
    if (about === undefined) throw new Error("the daemon has not written about itself");
    this.about = about;
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

  /** The request that the script sends before the text. */
  request({ args, env, cwd }: ClientCall, caller: Caller, secret = this.about.secret): Buffer {
    const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    const parts = ["call", secret, caller.pid, caller.pid, cwd, args.length, ...args, ...variables];
    return formatMessage(parts.map((part) => `${part}\0`).join(""));
  }

  /** Sends a call as the script does. `caller`: the process that waits; default: one of its own. */
  async call(call: ClientCall, caller: Caller = startCaller()): Promise<DaemonResponse> {
    try {
      return await this.send(this.request(call, caller), call.text, caller);
    } finally {
      caller.kill("SIGKILL");
    }
  }

  /**
   * Sends a request, and the text once the call is taken and `caller`, if there is one, has its name; a buffer is sent as it is. `began`
   * gets the connection.
   */
  send(
    request: Buffer,
    text: string | Buffer = "",
    caller?: Caller,
    began = (_: Socket): void => undefined,
  ): Promise<DaemonResponse> {
    return new Promise((resolve) => {
      const messages = new MessageReader(Number.MAX_SAFE_INTEGER);
      const received: string[] = [];
      const socket = connect({ path: this.files.socket });
      socket.on("error", () => undefined);
      socket.on("data", (chunk) => {
        received.push(...messages.add(chunk).map(String));
        const name = / serve (\w+)$/.exec(received[0] ?? "")?.[1];
        if (isTaken || name === undefined) return;
        isTaken = true;
        const sendText = () => void socket.write(typeof text === "string" ? textMessages(text) : text);
        if (caller === undefined) return sendText();
        caller.stdout.once("data", sendText);
        caller.stdin.write(`${name}\n`);
      });
      let isTaken = false;
      socket.once("close", () => {
        const [first, ...answer] = received;
        resolve({
          ...(first?.startsWith(`${this.about.proof} `) && { decision: first.split(" ")[1] ?? "" }),
          ...(answer.length > 0 && { answer }),
        });
      });
      socket.write(request);
      began(socket);
    });
  }
}

/** The text in pieces, as the front sends it, and the empty message after it. */
function textMessages(text: string): Buffer {
  const bytes = Buffer.from(text);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 65_536) pieces.push(bytes.subarray(at, at + 65_536));
  return Buffer.concat([...pieces, Buffer.alloc(0)].map(formatMessage));
}

/** Starts a process that waits, and calls itself by each name that it is given. */
export function startCaller(before = ""): Caller {
  const program = '$| = 1; while (<STDIN>) { chomp; $0 = $_; print "named\\n" }';
  const caller = spawn("/bin/sh", ["-c", `${before}exec perl -e '${program}'`], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  caller.stdin.on("error", () => undefined);
  onTestFinished(() => void caller.kill("SIGKILL"));
  return caller;
}
