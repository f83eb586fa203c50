import { pause } from "@tenterhook/internal";
import type { Prices } from "@tenterhook/protocol/runs";
import type { Database, Queries, Statement } from "../database/database.ts";
import type { Cursor, EventFeed } from "../events/feed.ts";
import { RepeatedFailures } from "../repeated-failures.ts";
import { agreedSetting } from "../store/setting.ts";
import type { Wakeups } from "../wakeups.ts";
import { foldEvents } from "./fold-events.ts";
import { Pauses } from "./pauses.ts";
import {
  type FoldedEvent,
  READ_EVENTS,
  READ_RESTORED_EVENTS,
  withPossibleTime,
} from "./read-folded-events.ts";
import { writeRollups } from "./write-rollups.ts";

/** How many events one round folds: an embedded database does nothing else meanwhile. */
const MAX_EVENTS = 600;
/** And how many rows of tallies: a report has up to a hundred, and each may be of other keys. */
const MAX_TALLY_ROWS = 4_000;
/** The share of the time that folding may take: one part in so many, and a larger share while nothing else happens. */
const BUSY_SHARE = 60;
const IDLE_SHARE = 3;
/** The pause after a round, so that many events share a row. */
const MIN_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 5_000;
/** Longer, when another coordinator does it. */
const OTHERS_PAUSE_MS = 5_000;
/** In case a wake-up was lost. */
const POLL_MS = 5_000;

/** How far the events are folded, in the setting `insights`. */
export interface FoldProgress {
  /** Every event up to here is folded. */
  readonly after: Cursor;
  /** Events up to this id are folded wherever they are in the stream: they are from before the store was restored on another server. */
  readonly floor: number;
  /** The highest id of an event that is folded. */
  readonly top: number;
  /** When the first event was that was folded; null before there is one. */
  readonly since: string | null;
  /** When the first tallies of hooks were reported. Before that, calls of hooks on runners that let everything pass are not known. */
  readonly tallies_since: string | null;
}

const BEGINNING: FoldProgress = {
  after: { xid: "0", id: 0 },
  floor: 0,
  top: 0,
  since: null,
  tallies_since: null,
};

const READ: Statement = {
  name: "read-insights-progress",
  text: "SELECT value, version FROM settings WHERE name = 'insights'",
};

// The stream from its beginning, without what has been folded: ids continue where they were.
const RESTART: Statement = {
  name: "restart-insights",
  text: `
    UPDATE settings SET version = version + 1,
      value = value || jsonb_build_object('after', $2::jsonb, 'floor', value->'top')
    WHERE name = 'insights' AND version = $1`,
};

/** Begins at the first stored event, unless there is progress. Before any event is removed. */
export async function prepareInsights(queries: Queries): Promise<void> {
  await agreedSetting(queries, "insights", () => BEGINNING);
}

export async function readProgress(
  queries: Queries,
): Promise<{ readonly value: FoldProgress; readonly version: number } | undefined> {
  const [row] = await queries.run<{ value: FoldProgress; version: number }>(READ);
  return row;
}

export type FoldResult = "nothing" | "all" | "more" | "overtaken" | "failed";

/**
 * Adds up events into roll-ups, outside the transactions of the runs and a moment later. It follows the stream from a cursor that is
 * stored with the sums, in one statement: a crash neither loses nor doubles anything, and of several coordinators one succeeds.
 */
export class InsightFolder {
  readonly #database: Database;
  readonly #feed: EventFeed;
  readonly #wakeups: Wakeups;
  readonly #prices: Prices;
  readonly #failures: RepeatedFailures;

  constructor(
    database: Database,
    feed: EventFeed,
    wakeups: Wakeups,
    prices: Prices,
    failures = new RepeatedFailures(),
  ) {
    this.#database = database;
    this.#feed = feed;
    this.#wakeups = wakeups;
    this.#prices = prices;
    this.#failures = failures;
  }

  /** Folds some events, and waits until there may be more. */
  async round(signal: AbortSignal): Promise<void> {
    const seen = this.#wakeups.count("events");
    const began = performance.now();
    const result = await this.fold();
    if (result === "nothing") await this.#wakeups.wait("events", POLL_MS, signal, seen);
    if (result === "failed") return pause(MIN_PAUSE_MS, signal);
    if (result === "overtaken") return pause(OTHERS_PAUSE_MS, signal);
    const share = this.#wakeups.count("events") > seen ? BUSY_SHARE : IDLE_SHARE;
    const least = result === "more" ? 0 : MIN_PAUSE_MS;
    const wanted = (performance.now() - began) * (result === "nothing" ? 0 : share);
    await pause(Math.min(Math.max(wanted, least), MAX_PAUSE_MS), signal);
  }

  /** Folds the next events. `overtaken` when another coordinator has folded them, `failed` when the first cannot be folded yet. */
  async fold(): Promise<FoldResult> {
    const progress = await readProgress(this.#database);
    if (progress === undefined) {
      await prepareInsights(this.#database);
      return "more";
    }
    const { value, version } = progress;
    const isRestored = await this.#feed.isBeyond(value.after);
    const [first, ...others] = withinLimit(await this.#read(value, isRestored)).map(withPossibleTime);
    if (first === undefined) {
      if (!isRestored) return "nothing";
      await this.#database.run(RESTART, [version, JSON.stringify(BEGINNING.after)]);
      return "more";
    }
    const add = async (to: FoldedEvent, counted: readonly FoldedEvent[]): Promise<FoldResult> => {
      const pauses = new Pauses();
      const sums = await foldEvents(counted, this.#prices, pauses, Date.parse(first.read_at));
      const moved: FoldProgress = {
        ...value,
        after: { xid: to.xid, id: to.id },
        top: Math.max(value.top, to.id, ...counted.map(({ id }) => id)),
        since: value.since ?? counted[0]?.created_at ?? null,
        tallies_since: value.tallies_since ?? sums.talliesSince ?? null,
      };
      if (!(await writeRollups(this.#database, version, moved, sums, pauses))) return "overtaken";
      return (await this.#isMore(moved, isRestored)) ? "more" : "all";
    };
    const folded = await this.#failures.inOrder(
      [first, ...others],
      (events) => add(events.at(-1) ?? first, events),
      { describe, skip: (event) => add(event, []) },
    );
    return folded ?? "failed";
  }

  async #isMore({ after }: FoldProgress, isRestored: boolean): Promise<boolean> {
    return isRestored || (await this.#feed.read(after, {}, 1)).length > 0;
  }

  #read({ after, floor }: FoldProgress, isRestored: boolean): Promise<FoldedEvent[]> {
    const statement = isRestored ? READ_RESTORED_EVENTS : READ_EVENTS;
    const values = [after.xid, after.id, MAX_EVENTS, this.#feed.horizon.nonWriters, floor];
    return this.#database.run<FoldedEvent>(statement, values);
  }
}

function describe({ xid, id, type, run_id }: FoldedEvent): string {
  return `the event ${xid}-${id} (${type} of ${run_id ?? "no run"}), which the insights do not count,`;
}

/** The first events, as many as one statement writes without delaying others. */
function withinLimit(events: readonly FoldedEvent[]): readonly FoldedEvent[] {
  let rows = 0;
  const end = events.findIndex(({ data }, index) => {
    rows += Array.isArray(data?.tallies) ? data.tallies.length : 0;
    return index > 0 && rows > MAX_TALLY_ROWS;
  });
  return end === -1 ? events : events.slice(0, end);
}
