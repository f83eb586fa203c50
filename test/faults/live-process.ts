import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { QUICK_START } from "@tenterhook/test-support";

const MAX_LINES = 40;

export interface ProcessStart {
  /** Options of Node. */
  readonly flags?: readonly string[];
  /** A command that executes the process, such as `nsenter`. */
  readonly before?: readonly string[] | undefined;
}

/** One of the programs in `programs/` in its own process, which has reported that it is ready. */
export class LiveProcess<Ready> {
  readonly ready: Ready;
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  readonly #lines: string[];

  private constructor(child: ChildProcess, exited: Promise<unknown>, ready: Ready, lines: string[]) {
    this.#child = child;
    this.#exited = exited;
    this.ready = ready;
    this.#lines = lines;
  }

  /** Rejects with the error output when the process ends before it is ready. */
  static async start<Ready>(
    program: string,
    options: object,
    { flags = [QUICK_START], before = [] }: ProcessStart = {},
  ): Promise<LiveProcess<Ready>> {
    const file = fileURLToPath(new URL(`programs/${program}.mjs`, import.meta.url));
    const [command = "", ...args] = [...before, process.execPath, ...flags, file, JSON.stringify(options)];
    const child = spawn(command, args, { stdio: "pipe" });
    const exited = once(child, "exit");
    const lines: string[] = [];
    createInterface({ input: child.stderr }).on("line", (line) => {
      lines.push(line);
      if (lines.length > MAX_LINES) lines.shift();
    });
    const first = await Promise.race([
      once(createInterface({ input: child.stdout }), "line"),
      once(child, "close"),
    ]);
    if (typeof first[0] !== "string") throw new Error(`the ${program} did not start:\n${lines.join("\n")}`);
    return new LiveProcess<Ready>(child, exited, JSON.parse(first[0]) as Ready, lines);
  }

  /** The last lines of its error output. */
  get errorOutput(): string {
    return this.#lines.join("\n");
  }

  /** Kills the process with SIGKILL. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#exited;
  }

  /** Suspends the process with SIGSTOP. */
  suspend(): void {
    this.#child.kill("SIGSTOP");
  }

  resume(): void {
    this.#child.kill("SIGCONT");
  }
}
