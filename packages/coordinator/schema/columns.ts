import { customType, timestamp } from "drizzle-orm/pg-core";

/** The id of a transaction: 64 bits, so it is read as text. */
export const xid8 = customType<{ data: string }>({ dataType: () => "xid8" });

/** An id, sorted by bytes and not by a language's rules: so the ids with a prefix are a range of an index. */
export const id = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' });

/** The words of a text, for PostgreSQL's text search. */
export const tsvector = customType<{ data: string }>({ dataType: () => "tsvector" });

export const time = <const Name extends string>(name: Name) =>
  timestamp(name, { withTimezone: true, mode: "string" });
export const created = () => time("created_at").notNull().defaultNow();
