import { readFileSync } from "node:fs";

/** What the system says of a process in /proc/PID/stat. */
export interface ProcessStat {
  /** One letter: R runs, S sleeps, T was stopped, Z has ended. */
  readonly state: string;
  /** When it was started, in hundredths of a second since the system was. */
  readonly start: number;
}

/** Reads it; `undefined` without /proc, or if the process has ended. */
export function readProcessStat(pid: number): ProcessStat | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may contain anything. After it come fields 3, 4 and so on.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0] ?? "", start: Number(fields[19]) };
  } catch {
    return undefined;
  }
}
