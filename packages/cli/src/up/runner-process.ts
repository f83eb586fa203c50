import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Backoff } from "@tenterhook/internal";
import { notify } from "../terminal.ts";

/** After this time, a crash is not blamed on the start. */
const STABLE_MS = 60_000;

/**
 * A runner in its own process, which is restarted when it dies; a crash does not affect the coordinator. It is not in the
 * terminal's process group, so Ctrl-C reaches it only through this process.
 */
export class RunnerProcess {
  readonly #args: readonly string[];
  #child: ChildProcess | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Without jitter: there is one runner, and the message has a round number. */
  readonly #backoff = new Backoff({ firstMs: 500, mostMs: 30_000, random: () => 0 });
  #isEnding = false;

  /** `args` are those of `tenterhook runners start`. */
  constructor(args: readonly string[]) {
    this.#args = args;
  }

  start(): void {
    const command = process.argv[1] ?? "tenterhook";
    const child = spawn(process.execPath, [command, "runners", "start", ...this.#args], {
      // The runner detects the end of this process by the closed channel.
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      detached: true,
    });
    this.#child = child;
    const startedAt = performance.now();
    const ended = (reason: string) => {
      if (this.#child !== child) return;
      this.#child = undefined;
      if (this.#isEnding) return;
      if (performance.now() - startedAt > STABLE_MS) this.#backoff.reset();
      const pauseMs = this.#backoff.nextMs();
      notify(`the runner ${reason}; restarting in ${pauseMs / 1_000} s`);
      this.#timer = setTimeout(() => this.start(), pauseMs);
    };
    child.once("error", (error) => ended(`could not be started: ${error.message}`));
    child.once("exit", (code, signal) =>
      ended(signal === null ? `ended with ${code}` : `was ended by ${signal}`),
    );
  }

  /** Lets the runner finish its runs; a second call ends it immediately. Resolves when it has ended. */
  async end(): Promise<void> {
    this.#isEnding = true;
    clearTimeout(this.#timer);
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill("SIGTERM");
    await exited;
  }
}
