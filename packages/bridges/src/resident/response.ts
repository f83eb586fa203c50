import { COMPLETE } from "../call/encode/complete-answer.ts";
import type { About } from "./about.ts";
import { formatMessage } from "./messages.ts";

/** What the resident process answers a call with. */
export interface ResidentAnswer {
  readonly stdout: string;
  readonly stderr: string;
  /** The client's exit code. */
  readonly exit: 0 | 2;
}

/**
 * The message that says whether the resident process takes a call, before it has got the text. `name`: what the front has to call itself before
 * it sends the text; absent if the call is left to the cold bridge.
 */
export function formatDecision({ proof }: About, name?: string): Buffer {
  return formatMessage(name === undefined ? `${proof} cold` : `${proof} serve ${name}`);
}

/** The three messages of an answer. */
export function formatAnswer({ stdout, stderr, exit }: ResidentAnswer): Buffer {
  const code = exit === 0 ? COMPLETE.passed : COMPLETE.refused;
  return Buffer.concat([String(code), stderr, asPrinted(stdout)].map(formatMessage));
}

/** As the script prints what the cold bridge has written: shells drop NUL bytes and the last line breaks of what they read. */
function asPrinted(stdout: string): string {
  const text = stdout.replaceAll("\0", "").replace(/\n+$/, "");
  return text === "" ? "" : `${text}\n`;
}
