import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { OutputTail, signalProcessTree } from "@tenterhook/engine/process";
import { completesWithin } from "@tenterhook/internal";
import type { McpConnection, McpSdk } from "./connection.ts";

/** The program of a server. */
interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** How long a server has to exit after its input was closed, and again after SIGTERM. */
const GRACE_MS = 1_000;

/** How long to wait for output after the exit: a remaining child may keep the pipe open forever. */
const DRAIN_MS = 200;

/** Enough for a stack trace, and short enough for an error message. */
const MAX_STDERR_BYTES = 2_000;

/** Enough for a message with an image; limits a server that never ends its line. */
const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;

/**
 * A connection to a process through its standard input and output, started without a shell. It has its own process group, because `npx`
 * and similar programs start the server as a child: the rest of the group is killed when the process ends, and when this process exits.
 * The SDK's own transport only signals the process that it started and does not wait for its exit.
 */
export class StdioConnection implements McpConnection, Transport {
  onclose?: Transport["onclose"];
  onerror?: Transport["onerror"];
  onmessage?: Transport["onmessage"];
  readonly kind = "process";
  readonly target: string;
  readonly #sdk: McpSdk;
  readonly #command: ServerCommand;
  readonly #buffer: InstanceType<McpSdk["ReadBuffer"]>;
  readonly #stderr = new OutputTail(MAX_STDERR_BYTES);
  #child: ChildProcess | undefined;
  /** How the process ended; `undefined` while it runs. */
  #exit: string | undefined;
  /** Resolves when it has ended and its output was read. */
  #ended: Promise<void> = Promise.resolve();
  #ending: Promise<void> | undefined;
  #fault: string | undefined;
  #isClosed = false;

  constructor(sdk: McpSdk, command: ServerCommand) {
    this.#sdk = sdk;
    this.#command = command;
    this.#buffer = new sdk.ReadBuffer({ maxBufferSize: MAX_MESSAGE_BYTES });
    this.target = [command.command, ...command.args].join(" ");
  }

  get transport(): Transport {
    return this;
  }

  get disconnectReason(): string | undefined {
    // After close, the exit of the process is expected.
    return this.#fault ?? (this.#isClosed ? undefined : this.#exit);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get stderrTail(): string {
    return String(this.#stderr);
  }

  async start(): Promise<void> {
    const { command, args, env, cwd } = this.#command;
    const detached = process.platform !== "win32";
    const child = spawn(command, args, { cwd, env, detached, stdio: "pipe", windowsHide: true });
    this.#child = child;
    running.add(child);
    this.#ended = this.#watch(child, cwd);
    void this.#ended.then(() => this.onclose?.());
    // Without free file descriptors there are no pipes; the error event follows.
    child.stdout?.on("data", (chunk: Buffer) => this.#read(chunk));
    child.stderr?.on("data", (chunk: Buffer) => this.#stderr.add(chunk));
    // Errors of a broken pipe are ignored: the exit of the process is reported.
    for (const pipe of pipesOf(child)) pipe?.on("error", () => undefined);
    await new Promise((resolve, reject) => child.once("spawn", resolve).once("error", reject));
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const { SdkError, SdkErrorCode, serializeMessage } = this.#sdk;
    const stdin = this.#child?.stdin;
    if (!stdin || this.#isClosed || this.disconnectReason !== undefined) {
      throw new SdkError(SdkErrorCode.NotConnected, "the process does not run");
    }
    try {
      await new Promise<void>((resolve, reject) => {
        stdin.write(serializeMessage(message), (error) => (error ? reject(error) : resolve()));
      });
    } catch (error) {
      // Its input is closed. The exit code and the end of stderr are known once it has ended.
      await this.#end();
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#fault = this.disconnectReason;
    this.#isClosed = true;
    await this.#end();
  }

  #end(): Promise<void> {
    this.#ending ??= this.#child && endProcess(this.#child, this.#ended);
    return this.#ending ?? Promise.resolve();
  }

  #watch(child: ChildProcess, cwd: string): Promise<void> {
    return new Promise((resolve) => {
      const settle = (how: string) => {
        this.#exit ??= how;
        running.delete(child);
        for (const pipe of pipesOf(child)) pipe?.destroy();
        resolve();
      };
      child.once("error", ({ message }) => {
        // ENOENT names the command even if the folder does not exist.
        settle(`could not be started: ${existsSync(cwd) ? message : `there is no folder ${cwd}`}`);
      });
      child.once("exit", (code, signal) => {
        this.#exit = code === null ? `was ended by ${signal}` : `ended with exit code ${code}`;
        signalGroup(child, "SIGKILL");
        const timer = setTimeout(settle, DRAIN_MS, this.#exit);
        child.once("close", () => {
          clearTimeout(timer);
          settle("ended");
        });
      });
    });
  }

  #read(chunk: Buffer): void {
    try {
      this.#buffer.append(chunk);
    } catch {
      this.#fault ??= `sent a message of more than ${MAX_MESSAGE_BYTES} bytes`;
      void this.close();
      return;
    }
    for (;;) {
      try {
        const message = this.#buffer.readMessage();
        if (message === null) return;
        this.onmessage?.(message);
      } catch (error) {
        // This line is not a message; the next one may be.
        this.onerror?.(error instanceof Error ? error : new Error(String(error)));
      }
    }
  }
}

/** Closes its input, then SIGTERM, then SIGKILL. Resolves when it has ended. */
async function endProcess(child: ChildProcess, ended: Promise<void>): Promise<void> {
  child.stdin?.end();
  if (await completesWithin(GRACE_MS, ended)) return;
  signalGroup(child, "SIGTERM");
  if (await completesWithin(GRACE_MS, ended)) return;
  signalGroup(child, "SIGKILL");
  await ended;
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid !== undefined) signalProcessTree(pid, signal);
}

function pipesOf({ stdin, stdout, stderr }: ChildProcess) {
  return [stdin, stdout, stderr];
}

/** Signals of the terminal do not reach the groups of servers, so remaining servers are killed on exit. */
const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) signalGroup(child, "SIGKILL");
});
