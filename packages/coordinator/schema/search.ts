import { index, integer, pgTable } from "drizzle-orm/pg-core";
import { id, time, tsvector } from "./columns.ts";

/** The words by which runs are found, written shortly after the runs themselves: see `search/`. */
export const runTexts = pgTable(
  "run_texts",
  {
    runId: id("run_id").primaryKey(),
    /** The run's time. */
    createdAt: time("created_at").notNull(),
    /** The number of a `run_text_parts`. */
    part: integer("part").notNull(),
    /** Each with the number of the part before it: `7/invoice`. */
    words: tsvector("words").notNull(),
    /** The run's `event_count` when it was read, so that a slower writer does not bring old words back. */
    eventCount: integer("event_count").notNull(),
  },
  (table) => [
    // New words are collected in a list first, which every search reads to its end: a short one.
    index("run_texts_by_word").using("gin", table.words).with({ gin_pending_list_limit: 256 }),
  ],
);

/** The parts of the index of words: each has the runs of a time, up to the beginning of the next part. The oldest begins at `-infinity`. */
export const runTextParts = pgTable("run_text_parts", {
  number: integer("number").primaryKey().generatedAlwaysAsIdentity(),
  since: time("since").notNull().unique(),
  /** How many runs were added to it. */
  runs: integer("runs").notNull().default(0),
});
