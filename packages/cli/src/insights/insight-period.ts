import { since as readSince } from "../audit/since.ts";
import { UsageError } from "../usage-error.ts";

const UNITS: Readonly<Record<string, string>> = { s: "second", m: "minute", h: "hour", d: "day", w: "week" };

/** The period where `--since` is not given. */
export const DEFAULT_SINCE = "7d";

/** The period up to now that the numbers are about. */
export interface InsightPeriod {
  readonly sinceMs: number;
  readonly untilMs: number;
  /** As it was written: `7d`, or a time. */
  readonly written: string;
}

/** Reads `--since`. Throws a `UsageError` for a text that is not a time, and for one that is not in the past. */
export function readPeriod(written: string, nowMs = Date.now()): InsightPeriod {
  // Any number of weeks is allowed, and there is nothing before 1970.
  const sinceMs = Math.max(0, readSince(written, nowMs));
  if (sinceMs >= nowMs) {
    throw new UsageError(
      `--since ${written} is not in the past.`,
      "Use a duration such as 24h, 7d or 4w, or an earlier time.",
    );
  }
  return { sinceMs, untilMs: nowMs, written };
}

/** The period as the end of a sentence: "in the last 7 days"; "since 2026-11-15 09:00" where the records begin later. */
export function formatPeriod({ written, sinceMs }: InsightPeriod, recordedSince: string | null): string {
  const recordedMs = recordedSince === null ? Number.NaN : Date.parse(recordedSince);
  if (recordedMs > sinceMs) return `since ${formatTime(recordedMs)}`;
  const [, amount, unit = ""] = /^(\d+)\s*([smhdw])$/.exec(written) ?? [];
  if (amount === undefined) return `since ${formatTime(sinceMs)}`;
  return Number(amount) === 1
    ? `in the last ${UNITS[unit]}`
    : `in the last ${Number(amount)} ${UNITS[unit]}s`;
}

/** `2026-11-15 09:00`, in the time zone of this machine. */
export function formatTime(timeMs: number): string {
  const time = new Date(timeMs);
  const two = (number: number) => String(number).padStart(2, "0");
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`;
}
