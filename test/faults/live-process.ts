import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { QUICK_START } from "@tenterhook/test-support";

const MOST_LINES = 40;

export interface ProcessStart {
  /** Of Node. */
  readonly flags?: readonly string[];
  /** A command that becomes the process, as `nsenter` does. */
  readonly before?: readonly string[] | undefined;
}

/** One of the programs beside this file in a process of its own, which has said that it is ready. */
export class LiveProcess<Said> {
  readonly said: Said;
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  readonly #lines: string[];

  private constructor(child: ChildProcess, exited: Promise<unknown>, said: Said, lines: string[]) {
    this.#child = child;
    this.#exited = exited;
    this.said = said;
    this.#lines = lines;
  }

  /** Rejects with what it complained about when it ends before it is ready. */
  static async start<Said>(
    program: string,
    options: object,
    { flags = [QUICK_START], before = [] }: ProcessStart = {},
  ): Promise<LiveProcess<Said>> {
    const file = fileURLToPath(new URL(`programs/${program}.mjs`, import.meta.url));
    const [command = "", ...words] = [...before, process.execPath, ...flags, file, JSON.stringify(options)];
    const child = spawn(command, words, { stdio: "pipe" });
    const exited = once(child, "exit");
    const lines: string[] = [];
    createInterface({ input: child.stderr }).on("line", (line) => {
      lines.push(line);
      if (lines.length > MOST_LINES) lines.shift();
    });
    const first = await Promise.race([
      once(createInterface({ input: child.stdout }), "line"),
      once(child, "close"),
    ]);
    if (typeof first[0] !== "string") throw new Error(`the ${program} did not start:\n${lines.join("\n")}`);
    return new LiveProcess<Said>(child, exited, JSON.parse(first[0]) as Said, lines);
  }

  /** What it last complained about. */
  get complaints(): string {
    return this.#lines.join("\n");
  }

  /** Ends it in the middle of whatever it does. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#exited;
  }

  /** It does nothing any more, and does not know it. */
  freeze(): void {
    this.#child.kill("SIGSTOP");
  }

  thaw(): void {
    this.#child.kill("SIGCONT");
  }
}
