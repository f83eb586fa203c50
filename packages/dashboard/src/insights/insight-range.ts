import { INSIGHT_RANGES, type InsightRange } from "@tenterhook/protocol/runs";

/** The periods to choose from. */
export const RANGES: Readonly<Record<InsightRange, { readonly label: string; readonly before: string }>> = {
  hour: { label: "Last hour", before: "the hour before" },
  day: { label: "Last day", before: "the day before" },
  week: { label: "Last week", before: "the week before" },
  month: { label: "Last month", before: "the month before" },
};

/** Reads the period of an address; the default is a day. */
export function readRange(text: string | undefined): InsightRange {
  return INSIGHT_RANGES.find((range) => range === text) ?? "day";
}

/** The time zone of the viewer, in which days and hours begin. */
export function viewerTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone ?? "UTC";
}
