import type { NewRunEvent } from "@tenterhook/protocol/runs";
import type { Queries, Statement } from "../database/database.ts";

/** An event that belongs to no run and no session, so no list or metric counts it: an edit of the catalogue or fleet, or a trial. */
export type CatalogueEvent = NewRunEvent<
  | "agent_saved"
  | "agent_deleted"
  | "named_hook_saved"
  | "named_hook_deleted"
  | "runner_drained"
  | "runner_undrained"
  | "hook_trial"
>;

const RECORD: Statement = {
  name: "record-catalogue-event",
  text: "INSERT INTO events (type, data) VALUES ($1, $2::jsonb)",
};

/** Adds an event to the stream; within a transaction, as a part of it. */
export async function recordCatalogueEvent(queries: Queries, { type, data }: CatalogueEvent): Promise<void> {
  await queries.run(RECORD, [type, JSON.stringify(data)]);
}
