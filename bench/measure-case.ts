import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { Row } from "./measure.ts";

/** A case that has not ended by then hangs: the longest takes five minutes on a busy machine. */
const LIMIT_MS = Number(process.env.TENTERHOOK_BENCH_LIMIT_MS ?? 30 * 60_000);
/** What is shown of a failed case's messages: the end of them has the error. */
const SHOWN_CHARACTERS = 4_000;

export interface MeasuredCase {
  readonly rows: readonly Row[];
}

/** What the process of a case sends. */
export type CaseMessage = MeasuredCase | { readonly error: string };

export interface CaseFailure {
  readonly suite: string;
  readonly name: string;
  readonly error: string;
}

/**
 * Measures a case in a process of its own, so that optimisations of one do not affect the next. Whatever happens to that process is
 * the failure of this case alone, and what it started is ended with it.
 */
export async function measureCase(
  program: string,
  suite: string,
  name: string,
): Promise<MeasuredCase | CaseFailure> {
  // A group of its own: databases and servers that a failed case leaves would disturb the ones behind it.
  const child = fork(program, ["--case", suite, name], {
    detached: true,
    stdio: ["ignore", "inherit", "pipe", "ipc"],
  });
  let message: CaseMessage | undefined;
  let printed = "";
  child.on("message", (sent) => (message = sent as CaseMessage));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    printed = (printed + text).slice(-SHOWN_CHARACTERS);
  });
  const closed = once(child, "close");
  let isLate = false;
  const limit = setTimeout(() => {
    isLate = true;
    endGroup(child);
  }, LIMIT_MS);
  const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
  clearTimeout(limit);
  if (message !== undefined && "rows" in message && code === 0) return message;
  endGroup(child);
  // Then all that was printed has been read.
  await closed;
  const end = isLate ? `it had not ended after ${LIMIT_MS / 1_000} s` : endText(code, signal);
  const error = message !== undefined && "error" in message ? message.error : end;
  return { suite, name, error: `${error}\n${printed.trim()}`.trimEnd() };
}

/** Node's exit code for a program in which nothing is left that could continue it. */
const UNSETTLED = 13;

function endText(code: number | null, signal: NodeJS.Signals | null): string {
  if (code === UNSETTLED) return "it waited for something that could not happen any more";
  return `its process ended with ${signal ?? `exit code ${code}`}`;
}

function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    // On Windows there are no groups.
    if (process.platform === "win32") child.kill("SIGKILL");
    else process.kill(-child.pid, "SIGKILL");
  } catch {
    // All of them have ended.
  }
}
