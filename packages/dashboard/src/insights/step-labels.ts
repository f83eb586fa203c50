import type { Insights } from "@tenterhook/protocol/runs";

type Series = Pick<Insights, "series" | "step" | "timezone" | "until">;

/** A step of a series: when it begins and ends, and its labels in the time zone of the series. */
export interface StepLabel {
  readonly from: string;
  readonly to: string;
  /** On an axis: `14:00`, `Tue 14:00`, `18 Nov`. */
  readonly label: string;
  /** `18 Nov, 14:00 – 14:15` */
  readonly title: string;
}

const TIME = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
const DAY = { day: "numeric", month: "short" } as const;

const AXIS: Readonly<Record<Insights["step"], Intl.DateTimeFormatOptions>> = {
  "5_minutes": TIME,
  "15_minutes": TIME,
  hour: { weekday: "short", ...TIME },
  day: DAY,
};

/** The labels of all steps of a series. */
export function labelSteps({ series, step, timezone, until }: Series): readonly StepLabel[] {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat("en-GB", { ...options, timeZone: timezone });
  const [axis, day, time] = [format(AXIS[step]), format(DAY), format(TIME)];
  return series.map(({ since }, index) => {
    const to = series[index + 1]?.since ?? until;
    const [begins, ends] = [new Date(since), new Date(to)];
    const title =
      step === "day"
        ? day.format(begins)
        : `${day.format(begins)}, ${time.format(begins)} – ${time.format(ends)}`;
    return { from: since, to, label: axis.format(begins), title };
  });
}

/** `17 Nov, 14:15 – 18 Nov, 14:15` */
export function formatPeriod({ since, until }: { since: string; until: string }, timezone: string): string {
  const text = new Intl.DateTimeFormat("en-GB", { ...DAY, ...TIME, timeZone: timezone });
  return text.formatRange(new Date(since), new Date(until));
}

/** A day in a time zone: `18 Nov 2026`. */
export function formatDay(time: string, timezone: string): string {
  return new Intl.DateTimeFormat("en-GB", { ...DAY, year: "numeric", timeZone: timezone }).format(
    new Date(time),
  );
}
