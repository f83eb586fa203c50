import { insightsQuery } from "@tenterhook/protocol/runs";
import { describe, expect, test } from "vitest";
import { readPeriod } from "./period.ts";
import { coverPeriod, slotStart, stepMs } from "./slots.ts";

const DAY_MS = 86_400_000;
const NOW = Date.parse("2026-11-18T10:07:30Z");

function period(query: Record<string, string>, now = NOW, detailSinceMs = 0) {
  return readPeriod(insightsQuery.parse(query), detailSinceMs, now);
}

const iso = (timeMs: number | undefined) => new Date(timeMs ?? Number.NaN).toISOString();

describe("the slots of a period", () => {
  test.each([
    ["2026-11-01T00:00:00Z", "2026-11-18T10:15:00Z"],
    ["2026-11-01T05:45:00Z", "2026-11-18T00:00:00Z"],
    ["2026-11-18T00:15:00Z", "2026-11-18T10:15:00Z"],
    ["2026-11-17T23:45:00Z", "2026-11-18T00:15:00Z"],
  ])("from %s to %s are without gaps and overlaps, and as long as they can be", (from, to) => {
    for (const finest of [5, 15] as const) {
      const ranges = coverPeriod(Date.parse(from), Date.parse(to), finest);
      let end = Date.parse(from);
      for (const { step, fromMs, toMs } of ranges) {
        expect(fromMs).toBe(end);
        expect(toMs).toBeGreaterThan(fromMs);
        expect([slotStart(fromMs, step), slotStart(toMs, step)]).toEqual([fromMs, toMs]);
        end = toMs;
      }
      expect(end).toBe(Date.parse(to));
      const slots = ranges.reduce((sum, { step, fromMs, toMs }) => sum + (toMs - fromMs) / stepMs(step), 0);
      // Days, and at each end 23 hours, 3 quarters and 2 parts of a quarter.
      expect(slots).toBeLessThan(20 + 2 * (23 + 3 + 2));
    }
  });
});

describe("the period of a request", () => {
  test.each([
    ["hour", "2026-11-18T09:10:00.000Z", "2026-11-18T10:10:00.000Z", 12],
    ["day", "2026-11-17T10:15:00.000Z", "2026-11-18T10:15:00.000Z", 96],
    ["week", "2026-11-11T11:00:00.000Z", "2026-11-18T10:15:00.000Z", 168],
    ["month", "2026-10-20T00:00:00.000Z", "2026-11-18T10:15:00.000Z", 30],
  ])("of the last %s is from %s to %s", (range, since, until, count) => {
    const { sinceMs, untilMs, beforeMs, points } = period({ range });
    expect([iso(sinceMs), iso(untilMs), points.length]).toEqual([since, until, count]);
    expect(sinceMs - beforeMs).toBe(untilMs - sinceMs);
  });

  test.each([
    ["Europe/Berlin", "2026-03-31T12:00:00Z", "2026-03-28T23:00:00.000Z", "2026-03-29T22:00:00.000Z"],
    ["America/New_York", "2026-11-03T12:00:00Z", "2026-11-01T04:00:00.000Z", "2026-11-02T05:00:00.000Z"],
    ["Asia/Kathmandu", "2026-11-03T12:00:00Z", "2026-10-31T18:15:00.000Z", "2026-11-01T18:15:00.000Z"],
    // The clock goes from 0:00 to 1:00, so this day has no midnight.
    ["America/Havana", "2026-03-10T12:00:00Z", "2026-03-08T05:00:00.000Z", "2026-03-09T04:00:00.000Z"],
  ])("has days as they are in %s, also when the clock is changed", (timezone, now, start, end) => {
    const points = period({ range: "month", timezone }, Date.parse(now)).points.map(iso);
    expect(points).toHaveLength(30);
    expect(points.slice(points.indexOf(start)).slice(0, 2)).toEqual([start, end]);
  });

  test.each([
    // The clock goes from 2:00 to 2:30, so the hour from 2:00 on has 30 minutes.
    ["Australia/Lord_Howe", "2026-10-04T12:00:00Z", "2026-10-03", ["14:30", "15:30", "16:00", "17:00"]],
    // From 2:00 back to 1:30: the hour from 1:00 on has 90.
    ["Australia/Lord_Howe", "2026-04-05T12:00:00Z", "2026-04-04", ["13:00", "14:00", "15:30", "16:30"]],
    ["America/New_York", "2026-03-09T12:00:00Z", "2026-03-08", ["05:00", "06:00", "07:00", "08:00"]],
    ["America/New_York", "2026-11-02T12:00:00Z", "2026-11-01", ["04:00", "05:00", "06:00", "07:00"]],
    ["Asia/Kathmandu", "2026-11-02T12:00:00Z", "2026-11-01", ["13:15", "14:15", "15:15"]],
  ])("has hours as they are in %s, also when the clock is changed before %s", (timezone, now, day, hours) => {
    const { points, seriesSlots } = period({ range: "week", timezone }, Date.parse(now));
    const expected = hours.map((hour) => `${day}T${hour}:00.000Z`);
    const begin = points.map(iso).indexOf(expected[0] ?? "");
    expect(points.map(iso).slice(begin, begin + expected.length)).toEqual(expected);
    // Each slot that is read belongs to one hour.
    for (const { step, fromMs, toMs } of seriesSlots)
      for (let slot = fromMs; slot < toMs; slot += stepMs(step))
        expect(points.filter((point) => point > slot && point < slot + stepMs(step))).toEqual([]);
  });

  test("has days of 22 to 26 hours in every time zone, and each begins at a quarter of an hour", () => {
    for (const timezone of Intl.supportedValuesOf("timeZone")) {
      const { points } = period({ since: "2026-03-05T00:00:00Z", until: "2026-04-08T00:00:00Z", timezone });
      for (const [index, point] of points.slice(1).entries()) {
        expect(point % stepMs(15), timezone).toBe(0);
        const next = points[index + 2] ?? point + DAY_MS;
        expect(next - point, `${timezone} ${iso(point)}`).toBeGreaterThanOrEqual(22 * 3_600_000);
        expect(next - point, `${timezone} ${iso(point)}`).toBeLessThanOrEqual(26 * 3_600_000);
      }
    }
  });

  test.each([
    ["hour", "UTC", 5],
    ["day", "UTC", 15],
    ["week", "UTC", 60],
    ["week", "Asia/Kathmandu", 15],
    ["month", "UTC", 1_440],
    ["month", "America/New_York", 60],
    ["month", "Asia/Kolkata", 15],
  ])(
    "of the last %s in %s has a series of slots of at most %i minutes, each within one step",
    (range, timezone, longest) => {
      const { points, seriesSlots } = period({ range, timezone });
      expect(Math.max(...seriesSlots.map(({ step }) => step))).toBe(longest);
      for (const { step, fromMs, toMs } of seriesSlots) {
        for (let start = fromMs; start < toMs; start += stepMs(step))
          expect(points.filter((point) => point > start && point < start + stepMs(step))).toEqual([]);
      }
    },
  );

  test("that ends now has the whole of today, and one that ended before has not", () => {
    expect(period({ range: "month" }).slots).toEqual([
      { step: 1_440, fromMs: Date.parse("2026-10-20T00:00:00Z"), toMs: Date.parse("2026-11-19T00:00:00Z") },
    ]);
    const { slots } = period({ since: "2026-11-01T00:00:00Z", until: "2026-11-18T09:15:00Z" });
    expect(slots.map(({ step, toMs }) => [step, iso(toMs)])).toEqual([
      [1_440, "2026-11-18T00:00:00.000Z"],
      [60, "2026-11-18T09:00:00.000Z"],
      [15, "2026-11-18T09:15:00.000Z"],
    ]);
  });

  test("is in days of UTC where only those are left", () => {
    const asked = { since: "2026-01-05T07:00:00Z", until: "2026-03-01T00:00:00Z", timezone: "Asia/Tokyo" };
    const found = period(asked, NOW, NOW - 92 * DAY_MS);
    expect(found).toMatchObject({ timezone: "UTC", step: "day", slots: [{ step: 1_440 }] });
    expect(iso(found.sinceMs)).toBe("2026-01-05T00:00:00.000Z");
  });
});

test.each([
  [{ since: "2026-11-18T00:00:00Z", until: "2026-11-17T00:00:00Z" }, "since must be before until"],
  [{ since: "2026-11-19T00:00:00Z" }, "since is not in the past"],
  [{ since: "1960-01-01T00:00:00Z", until: "1960-01-02T00:00:00Z" }, "within the years 1970 to 2999"],
  [{ since: "2020-01-01T00:00:00Z" }, "longer than 400 days"],
])(
  "a period that cannot be read is refused with the reason, the field and what to do: %j",
  (query, reason) => {
    expect(() => period(query)).toThrow(
      expect.objectContaining({
        message: expect.stringContaining(reason),
        field: "since",
        hint: expect.stringMatching(/^(Give|Exchange) .+\.$/),
      }),
    );
  },
);

test.each([
  [{ since: "yesterday" }, "since", "such as 2026-11-15T09:00:00Z"],
  [{ since: "2026-11-15" }, "since", "such as 2026-11-15T09:00:00Z"],
  [{ until: "2026-11-15T09:00:00Z" }, "until", "needs since"],
  [{ range: "day", since: "2026-11-15T09:00:00Z" }, "range", "leave out one or the other"],
])("parameters that do not fit are named, with what to write: %j", (query, field, advice) => {
  const [issue] = insightsQuery.safeParse(query).error?.issues ?? [];
  expect([issue?.path, issue?.message]).toEqual([[field], expect.stringContaining(advice)]);
});
