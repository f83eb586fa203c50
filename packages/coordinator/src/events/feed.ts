import type { Database, Statement } from "../database/database.ts";
import type { EventRow } from "../store/rows.ts";
import type { Wakeups } from "../wakeups.ts";

/** A place in the stream: by transaction first, because ids are committed out of order. */
export interface Cursor {
  readonly xid: string;
  readonly id: number;
}

// Only what every transaction that could still write before it has ended: nothing can appear behind the cursor any more.
const READ: Statement = {
  name: "read-events",
  text: `
    SELECT * FROM events
    WHERE (xid, id) > ($1::text::xid8, $2::bigint) AND xid < pg_snapshot_xmin(pg_current_snapshot())
    ORDER BY xid, id LIMIT $3`,
};

const END: Statement = {
  name: "end-of-events",
  text: "SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS xid",
};

const OLDEST: Statement = {
  name: "oldest-event",
  text: "SELECT xid, id FROM events ORDER BY xid, id LIMIT 1",
};

const BATCH = 500;
/** For when a wake-up was lost, and for events that an older transaction held back. */
const POLL_MS = 500;
const HELD_BACK_MS = 20;

export type FeedListener = (events: readonly EventRow[]) => void;

/** Reads the stream once for everybody on this coordinator, and hands it on. */
export class EventFeed {
  readonly #database: Database;
  readonly #wakeups: Wakeups;
  readonly #listeners = new Set<FeedListener>();
  readonly #stopping = new AbortController();
  #cursor: Cursor | undefined;
  #running: Promise<void> | undefined;

  constructor(database: Database, wakeups: Wakeups) {
    this.#database = database;
    this.#wakeups = wakeups;
  }

  async start(): Promise<void> {
    this.#cursor = await this.end();
    this.#running = this.#run();
  }

  /** Tells a listener every event from now on, in order. */
  listen(listener: FeedListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Where the stream ends now. */
  async end(): Promise<Cursor> {
    const [row] = await this.#database.run<{ xid: string }>(END);
    return { xid: String(BigInt(row?.xid ?? "0") - 1n), id: Number.MAX_SAFE_INTEGER };
  }

  /** What comes after a cursor, at most a batch. */
  read(after: Cursor, most = BATCH): Promise<EventRow[]> {
    return this.#database.run<EventRow>(READ, [after.xid, after.id, most]);
  }

  /** Whether events after a cursor may have been removed already. */
  async isTrimmed(after: Cursor): Promise<boolean> {
    const [oldest] = await this.#database.run<Cursor>(OLDEST);
    return oldest !== undefined && compare(after, oldest) < 0 && after.xid !== "0";
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      let found = 0;
      try {
        const events = await this.read(this.#cursor ?? (await this.end()));
        found = events.length;
        const last = events.at(-1);
        if (last !== undefined) this.#cursor = { xid: last.xid, id: last.id };
        if (found > 0) for (const listener of [...this.#listeners]) listener(events);
      } catch {
        // The database is away; the cursor is not, so nothing is missed when it is back.
      }
      if (found === BATCH) continue;
      await this.#wakeups.wait("events", found > 0 ? HELD_BACK_MS : POLL_MS, signal);
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
