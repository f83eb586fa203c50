import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { notify } from "../terminal.ts";

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;
/** One that has lived so long did not die of how it was started. */
const LIVED_MS = 60_000;

/**
 * A runner in a process of its own, started again when it dies: what an agent does to it does not happen to the
 * coordinator. It is not in the terminal's process group, so that Ctrl-C reaches it through us, once.
 */
export class RunnerProcess {
  readonly #args: readonly string[];
  #child: ChildProcess | undefined;
  #timer: NodeJS.Timeout | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  #isEnding = false;

  /** `args` are those of `tenterhook runner`. */
  constructor(args: readonly string[]) {
    this.#args = args;
  }

  start(): void {
    const command = process.argv[1] ?? "tenterhook";
    const child = spawn(process.execPath, [command, "runner", ...this.#args], {
      // The channel is how it notices that we are gone.
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      detached: true,
    });
    this.#child = child;
    const startedAt = performance.now();
    const ended = (how: string) => {
      if (this.#child !== child) return;
      this.#child = undefined;
      if (this.#isEnding) return;
      if (performance.now() - startedAt > LIVED_MS) this.#pauseMs = FIRST_PAUSE_MS;
      notify(`the runner ${how}; it is started again in ${this.#pauseMs / 1_000} s`);
      this.#timer = setTimeout(() => this.start(), this.#pauseMs);
      this.#pauseMs = Math.min(MAX_PAUSE_MS, this.#pauseMs * 2);
    };
    child.once("error", (error) => ended(`could not be started: ${error.message}`));
    child.once("exit", (code, signal) =>
      ended(signal === null ? `ended with ${code}` : `was ended by ${signal}`),
    );
  }

  /** Lets it finish what it has. Called again, it ends at once. Resolves when it has ended. */
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
