import { customType, timestamp } from "drizzle-orm/pg-core";

/** The id of a transaction; 64 bits, which only text carries through every driver unharmed. */
export const xid8 = customType<{ data: string }>({ dataType: () => "xid8" });

/** The id of something. By bytes and not by a language's rules: the beginning of one is a range of an index then. */
export const id = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' });

/** The words of a text, for PostgreSQL's text search. */
export const tsvector = customType<{ data: string }>({ dataType: () => "tsvector" });

export const time = <const Name extends string>(name: Name) =>
  timestamp(name, { withTimezone: true, mode: "string" });
export const created = () => time("created_at").notNull().defaultNow();
