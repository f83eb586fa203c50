import { pause } from "@tenterhook/internal";
import type { Database, Statement } from "../database/database.ts";
import { isUnavailable } from "../database/sql-error.ts";
import type { EventRow } from "../store/rows.ts";
import type { Wakeups } from "../wakeups.ts";
import type { EventFilter } from "./event-filter.ts";
import { Horizon, horizonSql } from "./horizon.ts";
import { BATCH, statementFor } from "./read-events.ts";

/** A position in the stream: by transaction first, because ids are committed out of order. */
export interface Cursor {
  readonly xid: string;
  readonly id: number;
}

const END: Statement = {
  name: "end-of-events",
  text: `SELECT ${horizonSql("$1")}::text AS xid`,
};

const TRIMMED: Statement = {
  name: "trimmed-events",
  text: "SELECT value FROM settings WHERE name = 'events_trimmed'",
};

const BEYOND: Statement = {
  name: "is-beyond-events",
  text: "SELECT $1::text::xid8 >= pg_snapshot_xmax(pg_current_snapshot()) AS is_beyond",
};

/** For when a wake-up was lost, and for events that an older transaction delayed. */
const POLL_MS = 500;
const HELD_BACK_MS = 15;
/** How often to search for transactions that delay events without ever writing one. */
const REFRESH_MS = 100;

export type FeedListener = (events: readonly EventRow[]) => void;

/** Reads the stream once for all clients of this coordinator, and passes it on. */
export class EventFeed {
  /** The transactions that delay the stream without ever writing to it. */
  readonly horizon: Horizon;
  readonly #database: Database;
  readonly #wakeups: Wakeups;
  readonly #report: (error: unknown) => void;
  readonly #listeners = new Set<FeedListener>();
  readonly #stopping = new AbortController();
  #cursor: Cursor | undefined;
  #running: Promise<void> | undefined;
  #nextRefresh = 0;

  constructor(database: Database, wakeups: Wakeups, report: (error: unknown) => void = console.error) {
    this.horizon = new Horizon(database);
    this.#database = database;
    this.#wakeups = wakeups;
    this.#report = report;
  }

  async start(): Promise<void> {
    await this.horizon.refresh();
    this.#cursor = await this.end();
    this.#running = this.#run();
  }

  /** Calls a listener with every event from now on, in order. */
  listen(listener: FeedListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Where the stream ends now. */
  async end(): Promise<Cursor> {
    const [row] = await this.#database.run<{ xid: string }>(END, [this.horizon.nonWriters]);
    return { xid: String(BigInt(row?.xid ?? "0") - 1n), id: Number.MAX_SAFE_INTEGER };
  }

  /** The cursor of the feed: it has passed on everything up to here. */
  get position(): Cursor {
    if (this.#cursor === undefined) throw new Error("the feed has not been started");
    return this.#cursor;
  }

  /** The events after a cursor, at most a batch; with a filter, those of one run or session only. */
  read(after: Cursor, filter: EventFilter = {}, most = BATCH, withAgent = false): Promise<EventRow[]> {
    const [statement, ...of] = statementFor(filter, withAgent);
    const { xid, id } = after;
    return this.#database.run<EventRow>(statement, [xid, id, most, this.horizon.nonWriters, ...of]);
  }

  /** Whether events after a cursor have been removed already. A client that starts at the beginning gets the remaining ones. */
  async isTrimmed(after: Cursor): Promise<boolean> {
    const [row] = await this.#database.run<{ value: Cursor }>(TRIMMED);
    return row !== undefined && compare(after, row.value) < 0 && after.xid !== "0";
  }

  /** Whether a cursor is beyond every transaction so far: then it belongs to another store. */
  async isBeyond(cursor: Cursor): Promise<boolean> {
    const [row] = await this.#database.run<{ is_beyond: boolean }>(BEYOND, [cursor.xid]);
    return row?.is_beyond === true;
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  /** One listener that throws must not keep the events from the others: the cursor has moved on. */
  #emit(events: readonly EventRow[]): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(events);
      } catch (error) {
        this.#report(error);
      }
    }
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      let found = 0;
      let waitMs = POLL_MS;
      try {
        const events = await this.read(this.#cursor ?? (await this.end()), {}, BATCH, true);
        found = events.length;
        const last = events.at(-1);
        if (last !== undefined) this.#cursor = { xid: last.xid, id: last.id };
        if (found > 0) this.#emit(events);
        else if (performance.now() < this.#nextRefresh) waitMs = REFRESH_MS;
        else {
          this.#nextRefresh = performance.now() + REFRESH_MS;
          if (await this.horizon.refresh()) continue;
        }
      } catch (error) {
        // The database is unreachable; the cursor is kept, so no event is missed. Any other error is a defect.
        if (!isUnavailable(error)) this.#report(error);
      }
      if (found === BATCH) continue;
      // Read in batches while there are many events; at rest, the first event is passed on at once.
      if (found > 0) await pause(HELD_BACK_MS, signal);
      else await this.#wakeups.wait("events", waitMs, signal);
    }
  }
}

export function compare(a: Cursor, b: Cursor): number {
  const byXid = BigInt(a.xid) - BigInt(b.xid);
  return byXid === 0n ? a.id - b.id : byXid < 0n ? -1 : 1;
}

/** A cursor as text, for `Last-Event-ID`. */
export function cursorText({ xid, id }: Cursor): string {
  return `${xid}-${id}`;
}

export function parseCursor(text: string): Cursor | undefined {
  const match = /^(\d{1,20})-(\d{1,16})$/.exec(text);
  return match === null ? undefined : { xid: match[1] ?? "0", id: Number(match[2]) };
}
