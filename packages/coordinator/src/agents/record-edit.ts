import type { NewRunEvent } from "@tenterhook/protocol/runs";
import type { Queries, Statement } from "../database/database.ts";

/** An edit of the catalogue, which belongs to no run. */
export type CatalogueEdit = NewRunEvent<
  "agent_saved" | "agent_deleted" | "named_hook_saved" | "named_hook_deleted"
>;

const RECORD: Statement = {
  name: "record-edit",
  text: "INSERT INTO events (type, data) VALUES ($1, $2::jsonb)",
};

/** Adds an event to the stream that says who saved or deleted what. It is part of the transaction that does it. */
export async function recordEdit(queries: Queries, { type, data }: CatalogueEdit): Promise<void> {
  await queries.run(RECORD, [type, JSON.stringify(data)]);
}
