import type { Blueprint, RunHookDefinition } from "@tenterhook/protocol/runs";
import { integer, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { created, time } from "./columns.ts";

export const agents = pgTable("agents", {
  name: text("name").primaryKey(),
  revision: integer("revision").notNull(),
  blueprint: jsonb("blueprint").$type<Blueprint>().notNull(),
  etag: text("etag").notNull(),
  updatedAt: time("updated_at").notNull().defaultNow(),
  /** The name of the person or the token that saved it; unknown for what was saved by the first versions. */
  updatedBy: text("updated_by"),
});

/** Every blueprint that a run was ever pinned to. */
export const blueprints = pgTable(
  "blueprints",
  {
    name: text("name").notNull(),
    revision: integer("revision").notNull(),
    blueprint: jsonb("blueprint").notNull(),
    createdAt: created(),
    createdBy: text("created_by"),
  },
  (table) => [primaryKey({ columns: [table.name, table.revision] })],
);

export const namedHooks = pgTable("named_hooks", {
  name: text("name").primaryKey(),
  revision: integer("revision").notNull(),
  definition: jsonb("definition").$type<RunHookDefinition>().notNull(),
  etag: text("etag").notNull(),
  updatedAt: time("updated_at").notNull().defaultNow(),
  updatedBy: text("updated_by"),
});

/** Every definition that was ever saved under a name. */
export const namedHookRevisions = pgTable(
  "named_hook_revisions",
  {
    name: text("name").notNull(),
    revision: integer("revision").notNull(),
    definition: jsonb("definition").$type<RunHookDefinition>().notNull(),
    createdAt: created(),
    createdBy: text("created_by"),
  },
  (table) => [primaryKey({ columns: [table.name, table.revision] })],
);
