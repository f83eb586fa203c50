import { type InsightRange, type insightsQuery, MAX_INSIGHT_DAYS } from "@tenterhook/protocol/runs";
import type { z } from "zod";
import { Problem } from "../problem.ts";
import {
  coverPeriod,
  SHORT_SLOT_DAYS,
  type SlotRange,
  STEPS,
  type Step,
  slotStart,
  stepMs,
} from "./slots.ts";
import { TimeZone } from "./time-zone.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LAST_MS = Date.UTC(3_000, 0);

export type SeriesStep = "5_minutes" | "15_minutes" | "hour" | "day";

/** The period of a request, and the steps of its series. */
export interface Period {
  readonly sinceMs: number;
  readonly untilMs: number;
  /** When the period before begins; it ends where this one begins. */
  readonly beforeMs: number;
  readonly timezone: string;
  readonly step: SeriesStep;
  /** When each step of the series begins. */
  readonly points: readonly number[];
  /** The slots that make up the period, and those of the period before. */
  readonly slots: readonly SlotRange[];
  readonly slotsBefore: readonly SlotRange[];
  /** The slots of which each is in one step of the series. */
  readonly seriesSlots: readonly SlotRange[];
}

const STEPS_OF: Readonly<Record<InsightRange, SeriesStep>> = {
  hour: "5_minutes",
  day: "15_minutes",
  week: "hour",
  month: "day",
};

/** Reads the period of a request. `detailSinceMs` is when slots that are shorter than a day begin. */
export function readPeriod(
  query: z.output<typeof insightsQuery>,
  detailSinceMs: number,
  nowMs: number,
): Period {
  const zone = readZone(query.timezone);
  const asked =
    query.since === undefined
      ? rangeUpTo(nowMs, query.range ?? "day", zone)
      : between(
          Date.parse(query.since),
          query.until === undefined ? undefined : Date.parse(query.until),
          nowMs,
        );
  const { sinceMs, untilMs } = asked;
  const beforeMs = sinceMs - (untilMs - sinceMs);
  if (beforeMs < detailSinceMs && sinceMs < detailSinceMs) return inDays(sinceMs, untilMs);
  const finest: Step = asked.step === "5_minutes" ? 5 : 15;
  const points = listPoints(sinceMs, untilMs, asked.step, zone);
  // Nothing has happened after now, so the slots that have begun are read as a whole: one of a day instead of up to 96 quarters of an hour.
  const lastMs = untilMs < nowMs ? untilMs : roundUp(untilMs, 1_440);
  return {
    ...{ sinceMs, untilMs, beforeMs, timezone: zone.name, step: asked.step, points },
    slots: coverPeriod(sinceMs, lastMs, finest),
    // Where no shorter slots are left, the days of the period before are counted as a whole.
    slotsBefore: coverPeriod(beforeMs, sinceMs, finest),
    seriesSlots: coverPeriod(sinceMs, lastMs, finest, coarsestWithin(points, finest)),
  };
}

/** The longest slots of which each is in one step of a series: every step but the first begins with one. */
function coarsestWithin(points: readonly number[], finest: Step): Step {
  const fits = (step: Step) => points.every((point, index) => index === 0 || point % stepMs(step) === 0);
  return STEPS.findLast((step) => step > finest && fits(step)) ?? finest;
}

/** A period of which only sums of days in UTC are left. */
function inDays(sinceMs: number, untilMs: number): Period {
  const from = slotStart(sinceMs, 1_440);
  const to = slotStart(untilMs + DAY_MS - 1, 1_440);
  const before = from - (to - from);
  const slots: readonly SlotRange[] = [{ step: 1_440, fromMs: from, toMs: to }];
  return {
    ...{ sinceMs: from, untilMs: to, beforeMs: before, timezone: "UTC", step: "day" },
    points: listPoints(from, to, "day", new TimeZone("UTC")),
    ...{ slots, seriesSlots: slots, slotsBefore: [{ step: 1_440, fromMs: before, toMs: from }] },
  };
}

function readZone(name: string): TimeZone {
  try {
    return new TimeZone(name);
  } catch {
    const hint = "Give an IANA name, such as Europe/Berlin or UTC.";
    throw new Problem("bad_request", `there is no time zone "${name}"`, { field: "timezone", hint });
  }
}

interface AskedPeriod {
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly step: SeriesStep;
}

function rangeUpTo(nowMs: number, range: InsightRange, zone: TimeZone): AskedPeriod {
  const step = STEPS_OF[range];
  const untilMs = roundUp(nowMs, range === "hour" ? 5 : 15);
  switch (range) {
    case "hour":
      return { sinceMs: untilMs - HOUR_MS, untilMs, step };
    case "day":
      return { sinceMs: untilMs - DAY_MS, untilMs, step };
    case "week":
      return { sinceMs: zone.hourStart(nowMs) - 7 * DAY_MS + HOUR_MS, untilMs, step };
    case "month":
      return { sinceMs: zone.dayStart(nowMs, -29), untilMs, step };
  }
}

function between(sinceMs: number, askedUntilMs: number | undefined, nowMs: number): AskedPeriod {
  const untilMs = askedUntilMs ?? nowMs;
  if (!(sinceMs < untilMs)) {
    throw askedUntilMs === undefined
      ? badSince("since is not in the past", "Give an earlier time, or until, too.")
      : badSince("since must be before until", "Exchange them, or give an earlier since.");
  }
  if (sinceMs < 0 || untilMs > LAST_MS)
    throw badSince("the period must be within the years 1970 to 2999", "Give times of these years.");
  const length = untilMs - sinceMs;
  if (length > MAX_INSIGHT_DAYS * DAY_MS) {
    throw badSince(
      `the period is longer than ${MAX_INSIGHT_DAYS} days`,
      "Give a later since, or ask for the parts of the period one after another.",
    );
  }
  const areShortSlotsLeft = sinceMs - length > nowMs - SHORT_SLOT_DAYS * DAY_MS + HOUR_MS;
  const step =
    length <= 3 * HOUR_MS && areShortSlotsLeft
      ? "5_minutes"
      : length <= 2 * DAY_MS
        ? "15_minutes"
        : length <= 14 * DAY_MS
          ? "hour"
          : "day";
  const finest: Step = step === "5_minutes" ? 5 : 15;
  return { sinceMs: slotStart(sinceMs, finest), untilMs: roundUp(untilMs, finest), step };
}

function badSince(message: string, hint: string): Problem {
  return new Problem("bad_request", message, { field: "since", hint });
}

function roundUp(timeMs: number, step: Step): number {
  return slotStart(timeMs + stepMs(step) - 1, step);
}

/** When each step begins: the first with the period, the others with the local hour or day. */
function listPoints(sinceMs: number, untilMs: number, step: SeriesStep, zone: TimeZone): readonly number[] {
  const next = (point: number): number => {
    switch (step) {
      case "5_minutes":
        return point + stepMs(5);
      case "15_minutes":
        return point + stepMs(15);
      case "hour":
        return zone.nextHourStart(point);
      case "day":
        return zone.dayStart(point, 1);
    }
  };
  const points: number[] = [];
  for (let point = sinceMs; point < untilMs; point = Math.max(next(point), point + stepMs(5)))
    points.push(point);
  return points;
}
