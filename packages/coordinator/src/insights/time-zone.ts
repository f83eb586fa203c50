const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** A time zone by its IANA name. Throws a `RangeError` when there is none of that name. */
export class TimeZone {
  readonly name: string;
  readonly #format: Intl.DateTimeFormat;

  constructor(name: string) {
    this.name = name;
    const numeric = "numeric";
    this.#format = new Intl.DateTimeFormat("en-US", {
      ...{ timeZone: name, calendar: "gregory", numberingSystem: "latn", hourCycle: "h23" },
      ...{ year: numeric, month: numeric, day: numeric, hour: numeric, minute: numeric, second: numeric },
    });
  }

  /** The beginning of the local hour that a time is in. */
  hourStart(timeMs: number): number {
    const offset = this.#offset(timeMs);
    const local = timeMs + offset;
    const start = timeMs - (local - Math.floor(local / HOUR_MS) * HOUR_MS);
    // On Lord Howe Island the clock is changed by half an hour: one hour has 30 minutes, another 90.
    return start + offset - this.#offset(start);
  }

  /** The beginning of the local hour after the one that begins at a time, or contains it. */
  nextHourStart(timeMs: number): number {
    const next = this.hourStart(timeMs + HOUR_MS);
    return next > timeMs ? next : this.hourStart(timeMs + 2 * HOUR_MS);
  }

  /** The beginning of the local day that is so many days after the one that a time is in. */
  dayStart(timeMs: number, daysLater = 0): number {
    const local = timeMs + this.#offset(timeMs);
    const day = (Math.floor(local / DAY_MS) + daysLater) * DAY_MS;
    const start = day - this.#offset(day - this.#offset(day));
    // A day whose midnight does not exist begins when the clock is put forward.
    return start + this.#offset(start) < day ? start + (day - (start + this.#offset(start))) : start;
  }

  /** What must be added to UTC. */
  #offset(timeMs: number): number {
    const fields: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
    for (const { type, value } of this.#format.formatToParts(timeMs)) fields[type] = value;
    const { year, month, day, hour, minute, second } = fields;
    const local = Date.UTC(
      ...([
        Number(year),
        Number(month) - 1,
        Number(day),
        Number(hour),
        Number(minute),
        Number(second),
      ] as const),
    );
    return local - Math.floor(timeMs / 1_000) * 1_000;
  }
}
