import { UsageError } from "../usage-error.ts";

const UNITS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** The time of `1h`, `30m`, `2d` (ago) or of an ISO time, in milliseconds since 1970. Throws a `UsageError` otherwise. */
export function since(text: string, now: number): number {
  const [, amount, unit = ""] = /^(\d+)\s*([smhdw])$/.exec(text) ?? [];
  if (amount !== undefined) return now - Number(amount) * (UNITS[unit] ?? 0);
  const moment = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(moment)) return moment;
  throw new UsageError(
    `"${text}" is not a time.`,
    "Use a duration such as 30m, 1h or 2d, or a time such as 2026-11-15T09:00.",
  );
}
