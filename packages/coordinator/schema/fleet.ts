import { sql } from "drizzle-orm";
import {
  bigint,
  bigserial,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import type { Json } from "../src/store/column-types.ts";
import { created, id, time, xid8 } from "./columns.ts";

/** The stream. Ids commit out of order, so readers sort by the transaction first: see `events/`. */
export const events = pgTable(
  "events",
  {
    id: bigserial("id", { mode: "number" }).notNull(),
    xid: xid8("xid").notNull().default(sql`pg_current_xact_id()`),
    runId: id("run_id"),
    sessionId: id("session_id"),
    /** Counts the events of a run from 1, without gaps. */
    number: integer("number"),
    type: text("type").notNull(),
    data: jsonb("data").$type<Json>().notNull(),
    createdAt: created(),
  },
  (table) => [
    primaryKey({ columns: [table.xid, table.id] }),
    uniqueIndex("events_of_run").on(table.runId, table.number),
    // In the stream's order. With the run, so that the events of one run are found without reading those of the others.
    index("events_of_session").on(table.sessionId, table.xid, table.id, sql`coalesce(run_id, '')`),
  ],
);

export const runners = pgTable("runners", {
  id: id("id").primaryKey(),
  name: text("name").notNull(),
  tags: text("tags").array().notNull().default(sql`'{}'::text[]`),
  concurrency: integer("concurrency").notNull(),
  isDraining: boolean("is_draining").notNull().default(false),
  info: jsonb("info").$type<Json>().notNull().default({}),
  /** The token that registered it, and with which it acts. */
  registeredWith: text("registered_with"),
  registeredAt: time("registered_at").notNull().defaultNow(),
  seenAt: time("seen_at").notNull().defaultNow(),
  goneAt: time("gone_at"),
  /** When it ended because it was told to; null while it is connected, and when it was lost. */
  leftAt: time("left_at"),
});

export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    key: text("key").primaryKey(),
    requestHash: text("request_hash").notNull(),
    runId: id("run_id").notNull(),
    createdAt: created(),
  },
  (table) => [
    index("idempotency_keys_by_time").on(table.createdAt),
    index("idempotency_keys_by_run").on(table.runId),
  ],
);

export const tokens = pgTable(
  "tokens",
  {
    id: id("id").primaryKey(),
    /** `token`, `session` for the cookie of a person who signed in, or `code` for a link that signs in once. */
    kind: text("kind").notNull().default("token"),
    name: text("name").notNull(),
    scope: text("scope").notNull(),
    /** Its maker; it ends with it at the latest. */
    madeWith: text("made_with"),
    /** Of a runner's token: the only name that a runner may register with it. */
    runnerName: text("runner_name"),
    /** Of a runner's token: the only tags that a runner may register with it. */
    runnerTags: text("runner_tags").array(),
    hash: text("hash").notNull().unique(),
    createdAt: created(),
    expiresAt: time("expires_at"),
    usedAt: time("used_at"),
    revokedAt: time("revoked_at"),
  },
  // For what was made with a token, which ends with it.
  (table) => [index("tokens_by_maker").on(table.madeWith).where(sql`revoked_at is null`)],
);

/** What the coordinators of one store agree on, such as the key that signs webhooks. */
export const settings = pgTable("settings", {
  name: text("name").primaryKey(),
  value: jsonb("value").notNull(),
  version: bigint("version", { mode: "number" }).notNull().default(1),
});
