import { randomUUID } from "node:crypto";
import { pause } from "@tenterhook/internal";
import type { Database, Statement } from "../database/database.ts";
import type { Cursor, EventFeed } from "../events/feed.ts";
import { horizonSql } from "../events/horizon.ts";
import { RepeatedFailures } from "../repeated-failures.ts";
import { agreedSetting } from "../store/setting.ts";
import type { Wakeups } from "../wakeups.ts";
import { beginPart, endOldestPart, type GrownPart, PART_SIZE, partAt } from "./parts.ts";
import { RUN_TEXT_COLUMNS, type RunText, runWords } from "./run-text.ts";

/** How many runs one round writes: an embedded database does nothing else meanwhile. */
const MAX_RUNS = 64;
const MAX_EVENTS = 400;

/** The share of the time that indexing may take: one part in so many, and a larger share while nothing else happens. */
const BUSY_SHARE = 40;
const IDLE_SHARE = 3;
/** The delay between an event and the next round, so that claims come first. */
const DELAY_MS = 150;
/** The longest pause, so that a run is found soon even with a slow database. */
const MAX_PAUSE_MS = 1_000;
/** In case a wake-up was lost. */
const POLL_MS = 2_000;
/** For how long one coordinator keeps the others from doing the same work. */
const LEASE_SECONDS = 10;

/** The progress of the index, in the setting `run_texts`. */
interface Progress {
  /** Every event up to here is indexed. */
  readonly after: Cursor;
  /** Runs that existed before there was an index, from the newest to the oldest; null when all of them are done. */
  readonly before: { readonly time: string; readonly id: string } | null;
}

const RESTART: Statement = {
  name: "restart-run-texts",
  text: `
    UPDATE settings SET version = version + 1, value = $2::jsonb
    WHERE name = 'run_texts' AND value->'after'->>'xid' = $1`,
};

// The coordinator that has the lease, or takes it over from one that has let it expire.
const LEASE: Statement = {
  name: "lease-run-texts",
  text: `
    UPDATE settings SET version = version + 1, value = value || jsonb_build_object('holder', $1::text,
      'until', extract(epoch FROM now()) + ${LEASE_SECONDS})
    WHERE name = 'run_texts' AND (coalesce(value->>'holder', $1) = $1
      OR (value->>'until')::float8 NOT BETWEEN extract(epoch FROM now()) AND extract(epoch FROM now()) + ${LEASE_SECONDS})
    RETURNING value`,
};

const ADVANCE: Statement = {
  name: "advance-run-texts",
  text: `
    UPDATE settings SET version = version + 1, value = value || $2::jsonb
    WHERE name = 'run_texts' AND value->>'holder' = $1`,
};

const EVENTS: Statement = {
  name: "events-to-index",
  text: `
    SELECT xid::text AS xid, id, type, run_id FROM events
    WHERE (xid, id) > ($1::text::xid8, $2::bigint) AND xid < ${horizonSql("$4")}
    ORDER BY xid, id LIMIT $3`,
};

// Runs that existed before the index get there from the newest to the oldest: one that is still to come must not be in a part before that.
const OF_EVENTS: Statement = {
  name: "run-texts-of-events",
  text: `
    SELECT id, event_count, created_at::text AS position, ${RUN_TEXT_COLUMNS} FROM runs
    WHERE id = ANY ($1::text[]) AND (created_at, id) >= ($2::timestamptz, $3)`,
};

const OLDER: Statement = {
  name: "run-texts-before",
  text: `
    SELECT id, event_count, created_at::text AS position, ${RUN_TEXT_COLUMNS} FROM runs
    WHERE (created_at, id) < ($1::timestamptz, $2) ORDER BY created_at DESC, id DESC LIMIT ${MAX_RUNS}`,
};

// In the order of ids, in which every other writer takes them, too. Without OFFSET the part would be looked up for each word. Returns the parts that have grown.
const WRITE: Statement = {
  name: "write-run-texts",
  text: `
    WITH written AS (
      INSERT INTO run_texts (run_id, created_at, part, words, event_count)
      SELECT id, created_at, part, array_to_tsvector(ARRAY(
          SELECT part || '/' || word FROM jsonb_array_elements_text(words) AS word)), event_count
      FROM (
        SELECT id, position AS created_at, ${partAt("position")} AS part, words, event_count
        FROM jsonb_to_recordset($1::jsonb) AS text (id text, position timestamptz, words jsonb, event_count int)
        OFFSET 0) AS texts
      ORDER BY id COLLATE "C"
      ON CONFLICT (run_id) DO UPDATE SET part = excluded.part, words = excluded.words, event_count = excluded.event_count
      WHERE run_texts.event_count <= excluded.event_count AND run_texts.words <> excluded.words
      RETURNING part, xmax = 0 AS is_new)
    UPDATE run_text_parts SET runs = runs + added.count
    FROM (SELECT part, count(*) AS count FROM written WHERE is_new GROUP BY part) AS added
    WHERE number = added.part
    RETURNING number, runs`,
};

// Runs that were removed while they were indexed.
const FORGET: Statement = {
  name: "forget-run-texts",
  text: `
    DELETE FROM run_texts WHERE run_id = ANY ($1::text[])
      AND NOT EXISTS (SELECT FROM runs WHERE runs.id = run_texts.run_id)`,
};

/** The events after which the texts of a run may have changed. */
const CHANGES: ReadonlySet<string> = new Set([
  "run_created",
  "run_ready",
  "run_stopping",
  "run_finishing",
  "run_completed",
  "run_failed",
  "run_stopped",
]);

interface EventToIndex extends Cursor {
  readonly type: string;
  readonly run_id: string | null;
}

interface TextRow extends RunText {
  readonly id: string;
  readonly position: string;
  readonly event_count: number;
}

function describe(runId: string): string {
  return `the run ${runId}, which is not found by its texts,`;
}

/**
 * Writes the words by which runs are found, outside the transactions of the runs and a moment later. It follows the stream of events
 * from a cursor that is stored, so a crash loses nothing, and goes through the runs that existed before the index. Under load it
 * takes only a small share of the time, and catches up afterwards. Any number of coordinators may have one: one of them works.
 */
export class RunIndexer {
  readonly #database: Database;
  readonly #feed: EventFeed;
  readonly #wakeups: Wakeups;
  readonly #partSize: number;
  readonly #failures: RepeatedFailures;
  readonly #holder = randomUUID();

  constructor(
    database: Database,
    feed: EventFeed,
    wakeups: Wakeups,
    partSize = PART_SIZE,
    failures = new RepeatedFailures(),
  ) {
    this.#database = database;
    this.#feed = feed;
    this.#wakeups = wakeups;
    this.#partSize = partSize;
    this.#failures = failures;
  }

  /** Indexes some runs, and waits until there may be more. */
  async round(signal: AbortSignal): Promise<void> {
    const seen = this.#wakeups.count("events");
    const since = performance.now();
    const done = await this.index();
    if (done === 0) {
      await this.#wakeups.wait("events", POLL_MS, signal, seen);
      await pause(DELAY_MS, signal);
      return;
    }
    const share = this.#wakeups.count("events") > seen ? BUSY_SHARE : IDLE_SHARE;
    await pause(Math.min((performance.now() - since) * share, MAX_PAUSE_MS), signal);
  }

  /** Indexes the next events and runs. Returns how many; 0 when nothing is left, or another coordinator does it. */
  async index(): Promise<number> {
    const known = await agreedSetting(this.#database, "run_texts", () => this.#beginning());
    const news = await this.#events(known.after);
    if (news.length === 0 && (await this.#feed.isBeyond(known.after))) return this.#restart(known);
    if (news.length === 0 && known.before === null) return 0;
    const [leased] = await this.#database.run<{ value: Progress }>(LEASE, [this.#holder]);
    if (leased === undefined) return 0;
    const { after, before } = leased.value;
    if (after.xid !== known.after.xid || after.id !== known.after.id) return 1;
    const [first, ...others] = news;
    const done = first === undefined ? 0 : await this.#indexNews([first, ...others], before);
    // Older runs wait while there are many new ones, and no longer.
    return before === null || news.length === MAX_EVENTS ? done : done + (await this.#indexOlder(before));
  }

  /** The store was restored on another server, with other transaction ids: every run is read once more. */
  async #restart({ after }: Progress): Promise<number> {
    await this.#database.run(RESTART, [after.xid, JSON.stringify(await this.#beginning())]);
    return 1;
  }

  /** The stream from here on, and every run that exists now. */
  async #beginning(): Promise<Progress> {
    return { after: await this.#feed.end(), before: { time: "infinity", id: "" } };
  }

  #events({ xid, id }: Cursor): Promise<EventToIndex[]> {
    return this.#database.run(EVENTS, [xid, id, MAX_EVENTS, this.#feed.horizon.nonWriters]);
  }

  /** Returns 0 when the run of the first event cannot be indexed yet. */
  async #indexNews(
    news: readonly [EventToIndex, ...EventToIndex[]],
    before: Progress["before"],
  ): Promise<number> {
    const done = await this.#failures.inOrder(news, (events) => this.#indexEvents(events, before), {
      describe: ({ run_id }) => describe(run_id ?? "no run"),
      skip: async ({ xid, id }) => {
        await this.#advance({ after: { xid, id } });
        return 1;
      },
    });
    return done ?? 0;
  }

  async #indexEvents(events: readonly EventToIndex[], before: Progress["before"]): Promise<number> {
    const ids = new Set<string>();
    let last: Cursor | undefined;
    for (const { xid, id, type, run_id } of events) {
      if (run_id !== null && CHANGES.has(type)) {
        if (ids.size === MAX_RUNS && !ids.has(run_id)) break;
        ids.add(run_id);
      }
      last = { xid, id };
    }
    if (ids.size > 0) {
      const { time, id } = before ?? { time: "-infinity", id: "" };
      const grown = await this.#write(await this.#database.run<TextRow>(OF_EVENTS, [[...ids], time, id]));
      for (const part of grown) await beginPart(this.#database, part, this.#partSize);
    }
    await this.#advance({ after: last });
    return events.length;
  }

  async #indexOlder({ time, id }: NonNullable<Progress["before"]>): Promise<number> {
    const [first, ...others] = await this.#database.run<TextRow>(OLDER, [time, id]);
    if (first === undefined) {
      await this.#advance({ before: null });
      return 0;
    }
    const isLast = (row: TextRow) => others.length + 1 < MAX_RUNS && row === (others.at(-1) ?? first);
    const advance = (row: TextRow) =>
      this.#advance({ before: isLast(row) ? null : { time: row.position, id: row.id } });
    const done = await this.#failures.inOrder(
      [first, ...others],
      async (rows) => {
        const grown = await this.#write(rows);
        const last = rows.at(-1) ?? first;
        if (!isLast(last))
          for (const part of grown) await endOldestPart(this.#database, part, this.#partSize, last.position);
        await advance(last);
        return rows.length;
      },
      {
        describe: ({ id }) => describe(id),
        skip: async (row) => {
          await advance(row);
          return 1;
        },
      },
    );
    return done ?? 0;
  }

  async #write(rows: readonly TextRow[]): Promise<readonly GrownPart[]> {
    if (rows.length === 0) return [];
    const texts = rows.map((row) => ({
      id: row.id,
      position: row.position,
      event_count: row.event_count,
      words: runWords(row),
    }));
    const grown = await this.#database.run<GrownPart>(WRITE, [JSON.stringify(texts)]);
    await this.#database.run(FORGET, [rows.map(({ id }) => id)]);
    return grown;
  }

  async #advance(progress: { [Key in keyof Progress]?: Progress[Key] | undefined }): Promise<void> {
    await this.#database.run(ADVANCE, [this.#holder, JSON.stringify(progress)]);
  }
}
