import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { readProcessStart } from "../bridge/process-age.ts";

/**
 * The process at the other end of a connection, by the number that it says. Node cannot ask the system for that number, and a program in a
 * sandbox could say that of a process outside of it, to have hooks run there. So the process gets a name, and has to call itself by it before
 * its text counts: the system shows the name of a process, and only the process itself can change it.
 */
export class FrontProcess {
  readonly name = randomBytes(16).toString("hex");
  readonly #pid: number;
  /** A later process can have the same number. */
  readonly #start: number | undefined;

  constructor(pid: number) {
    this.#pid = pid;
    this.#start = readProcessStart(pid);
  }

  /** Whether it has taken its name, and is the process that it was when this was created. */
  hasName(): boolean {
    try {
      const name = readFileSync(`/proc/${this.#pid}/cmdline`, "latin1");
      return name.startsWith(this.name) && this.#start === readProcessStart(this.#pid);
    } catch {
      return false;
    }
  }
}
