import { formatCount } from "../components/format-count.ts";

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });

/** A large number for a small place: `12.3K`. Small ones stay exact. */
export function formatCompact(value: number): string {
  return Math.abs(value) < 10_000 ? formatCount(value) : compact.format(value);
}

/** A cost in the currency of the prices; small ones with more digits. */
export function formatCost(value: number, currency: string): string {
  const digits = value === 0 || value >= 1 ? 2 : 4;
  try {
    return new Intl.NumberFormat("en", {
      style: "currency",
      currency,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    }).format(value);
  } catch {
    // Prices may be in anything, such as credits.
    return `${value.toFixed(digits)} ${currency}`;
  }
}

/** How a number differs from the one before, which is not 0: `+50 %`, `−12 %`, `10 times as much`, `the same`. */
export function formatChange(value: number, before: number): string {
  if (value === before) return "the same";
  const ratio = value / before;
  if (ratio >= 10) return `${formatCount(Math.round(ratio))} times as much`;
  const percent = Math.round((ratio - 1) * 100);
  if (percent === 0) return "about the same";
  return percent > 0 ? `+${formatCount(percent)} %` : `−${formatCount(-percent)} %`;
}

/** A share of a whole, for people: `12 %`, `under 1 %`. */
export function formatShare(part: number, whole: number): string {
  if (whole === 0) return "0 %";
  const percent = (part / whole) * 100;
  if (percent > 0 && percent < 1) return "under 1 %";
  if (percent > 99 && percent < 100) return "over 99 %";
  return `${Math.round(percent)} %`;
}
