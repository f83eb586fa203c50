import { expect, test } from "vitest";
import { formatDay, formatPeriod, labelSteps } from "./step-labels.ts";

const nothing = {
  runs: { created: 0, started: 0, completed: 0, failed: 0, stopped: 0 },
  decisions: {},
  usage: { calls: 0, input_tokens: 0, output_tokens: 0, cost: 0, unpriced_calls: 0 },
};
const steps = (...times: string[]) => times.map((since) => ({ since, ...nothing }));

test("labels steps in the time zone of the series, and the last one ends with the period", () => {
  const series = steps("2026-11-18T10:00:00.000Z", "2026-11-18T10:15:00.000Z");
  const until = "2026-11-18T10:30:00.000Z";
  expect(labelSteps({ series, step: "15_minutes", timezone: "Europe/Berlin", until })).toEqual([
    {
      from: "2026-11-18T10:00:00.000Z",
      to: "2026-11-18T10:15:00.000Z",
      label: "11:00",
      title: "18 Nov, 11:00 – 11:15",
    },
    {
      from: "2026-11-18T10:15:00.000Z",
      to: until,
      label: "11:15",
      title: "18 Nov, 11:15 – 11:30",
    },
  ]);
});

test("names the local day of a step of a day", () => {
  const series = steps("2026-11-17T23:00:00.000Z");
  const until = "2026-11-18T23:00:00.000Z";
  expect(labelSteps({ series, step: "day", timezone: "Europe/Berlin", until })).toMatchObject([
    { label: "18 Nov", title: "18 Nov" },
  ]);
});

test("writes a period and a day in the given time zone", () => {
  const period = { since: "2026-11-17T23:30:00.000Z", until: "2026-11-18T23:30:00.000Z" };
  expect(formatPeriod(period, "Asia/Kolkata")).toMatch(/18 Nov.*05:00.*19 Nov.*05:00/);
  expect(formatDay("2026-11-17T23:30:00.000Z", "Asia/Kolkata")).toBe("18 Nov 2026");
});
