import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import type { Transport } from "@modelcontextprotocol/client";
import { killAtExit, OutputTail, signalProcessTree } from "@tenterhook/engine/process";
import { completesWithin } from "@tenterhook/internal";
import type { McpConnection, McpSdk } from "./connection.ts";

/** The program of a server. */
interface ServerProgram {
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
export function stdioConnection(sdk: McpSdk, program: ServerProgram): McpConnection {
  const { command, args, env, cwd } = program;
  const buffer = new sdk.ReadBuffer({ maxBufferSize: MAX_MESSAGE_BYTES });
  const stderr = new OutputTail(MAX_STDERR_BYTES);
  let child: ChildProcess | undefined;
  /** How the process ended; `undefined` while it runs. */
  let exit: string | undefined;
  /** Resolves when it has ended and its output was read. */
  let ended = Promise.resolve();
  let ending: Promise<void> | undefined;
  let fault: string | undefined;
  let isClosed = false;

  const transport: Transport = {
    async start() {
      const detached = process.platform !== "win32";
      child = spawn(command, args, { cwd, env, detached, stdio: "pipe", windowsHide: true });
      ended = watch(child);
      void ended.then(() => transport.onclose?.());
      // Without free file descriptors there are no pipes; the error event follows.
      child.stdout?.on("data", read);
      child.stderr?.on("data", (chunk: Buffer) => stderr.add(chunk));
      // Errors of a broken pipe are ignored: the exit of the process is reported.
      for (const pipe of pipesOf(child)) pipe?.on("error", () => undefined);
      await once(child, "spawn");
    },
    async send(message) {
      const stdin = child?.stdin;
      if (!stdin || isClosed || connection.disconnectReason !== undefined) {
        throw new sdk.SdkError(sdk.SdkErrorCode.NotConnected, "the process does not run");
      }
      try {
        await promisify<string, void>(stdin.write).call(stdin, sdk.serializeMessage(message));
      } catch (error) {
        // Its input is closed. The exit code and the end of stderr are known once it has ended.
        await end();
        throw error;
      }
    },
    close,
  };
  const connection = {
    transport,
    target: [command, ...args].join(" "),
    get disconnectReason() {
      // After close, the exit of the process is expected.
      return fault ?? (isClosed ? undefined : exit);
    },
    get isClosed() {
      return isClosed;
    },
    get stderrTail() {
      return String(stderr);
    },
    close,
  };
  return connection;

  async function close(): Promise<void> {
    fault = connection.disconnectReason;
    isClosed = true;
    await end();
  }

  function end(): Promise<void> | undefined {
    ending ??= child && endProcess(child, ended);
    return ending;
  }

  function watch(child: ChildProcess): Promise<void> {
    const spareAtExit = child.pid === undefined ? undefined : killAtExit(child.pid);
    return new Promise((resolve) => {
      const settle = (how: string) => {
        exit ??= how;
        spareAtExit?.();
        for (const pipe of pipesOf(child)) pipe?.destroy();
        resolve();
      };
      child.once("error", ({ message }) => {
        // ENOENT names the command even if the folder does not exist.
        settle(`could not be started: ${existsSync(cwd) ? message : `there is no folder ${cwd}`}`);
      });
      child.once("exit", (code, signal) => {
        exit = code === null ? `was ended by ${signal}` : `ended with exit code ${code}`;
        signalGroup(child, "SIGKILL");
        const timer = setTimeout(settle, DRAIN_MS, exit);
        child.once("close", () => {
          clearTimeout(timer);
          settle("ended");
        });
      });
    });
  }

  function read(chunk: Buffer): void {
    try {
      buffer.append(chunk);
    } catch {
      fault ??= `sent a message of more than ${MAX_MESSAGE_BYTES} bytes`;
      void close();
      return;
    }
    for (;;) {
      try {
        const message = buffer.readMessage();
        if (message === null) return;
        transport.onmessage?.(message);
      } catch (error) {
        // This line is not a message; the next one may be.
        transport.onerror?.(error instanceof Error ? error : new Error(String(error)));
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
