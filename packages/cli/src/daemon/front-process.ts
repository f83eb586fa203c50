import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { readProcessStat } from "../bridge/process-stat.ts";

/**
 * The process at the other end of a connection, by the number that it says. Node cannot ask the system for that number, and a program in a
 * sandbox could say that of a process outside of it, to have hooks run there. So the process gets a name, and has to call itself by it before
 * its text counts: the system shows the name of a process, and only the process itself can change it.
 */
export class FrontProcess {
  /** 32 hexadecimal digits, of which 122 bits are random. */
  readonly name = randomUUID().replaceAll("-", "");
  readonly #pid: number;
  /** A later process can have the same number. */
  readonly #start: number | undefined;

  constructor(pid: number) {
    this.#pid = pid;
    this.#start = readProcessStat(pid)?.start;
  }

  /** Whether it has taken its name, and is the process that it was when this was created. */
  hasName(): boolean {
    try {
      const name = readFileSync(`/proc/${this.#pid}/cmdline`, "utf8");
      return name.startsWith(this.name) && this.#start === readProcessStat(this.#pid)?.start;
    } catch {
      return false;
    }
  }
}
