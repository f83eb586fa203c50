import type { ConversationEntry, ConversationPage } from "@tenterhook/protocol/runs";
import type { Queries, Statement } from "../database/database.ts";
import { sqlState } from "../domain/run-state.ts";
import type { RunLifecycle } from "../lifecycle/index.ts";

/** How many entries are read at once; one is seldom more than a few kilobytes. */
const MAX_ON_PAGE = 100;

// A run that no longer exists has been trimmed; its entries are valid.
const READ: Statement = {
  name: "read-conversation",
  text: `
    WITH own AS (
      SELECT session_id FROM runs WHERE id = $1 AND lease_token = $2 AND state ${sqlState.leased}
    )
    SELECT earlier.id, earlier.entry FROM own LEFT JOIN LATERAL (
      SELECT conversation_entries.id, entry FROM conversation_entries LEFT JOIN runs ON runs.id = run_id
      WHERE conversation_entries.session_id = own.session_id AND conversation_entries.id > $3 AND (runs.id IS NULL OR (
        runs.finished_at IS NOT NULL AND runs.attempt = conversation_entries.attempt
        AND runs.error_code IS DISTINCT FROM 'runner_lost'))
      ORDER BY conversation_entries.id LIMIT $4
    ) AS earlier ON true`,
};

const ADD: Statement = {
  name: "add-to-conversation",
  text: `
    WITH own AS (
      SELECT id, session_id, attempt FROM runs
      WHERE id = $1 AND lease_token = $2 AND state ${sqlState.started} FOR UPDATE
    ), added AS (
      INSERT INTO conversation_entries (session_id, run_id, attempt, number, entry)
      SELECT own.session_id, own.id, own.attempt, $3::int + position - 1, entry::jsonb
      FROM own, unnest($4::text[]) WITH ORDINALITY AS each (entry, position)
      ORDER BY position
      ON CONFLICT DO NOTHING
    )
    SELECT id FROM own`,
};

/** The conversation of a run's session before the run. `undefined` when the lease is lost. */
export async function readConversation(
  queries: Queries,
  runId: string,
  token: string,
  after: number,
): Promise<ConversationPage | undefined> {
  const rows = await queries.run<{ id: number | null; entry: ConversationEntry }>(READ, [
    runId,
    token,
    after,
    MAX_ON_PAGE + 1,
  ]);
  if (rows.length === 0) return undefined;
  const page = rows.slice(0, MAX_ON_PAGE).filter(({ id }) => id !== null);
  const next_after = rows.length > MAX_ON_PAGE ? (page.at(-1)?.id ?? null) : null;
  return { entries: page.map(({ entry }) => entry), next_after };
}

/** Stores the entries that a run added. False when the lease is lost. */
export async function addToConversation(
  { database, lifecycle }: { readonly database: Queries; readonly lifecycle: RunLifecycle },
  runId: string,
  token: string,
  first: number,
  entries: readonly ConversationEntry[],
): Promise<boolean> {
  const values = [runId, token, first, entries.map((entry) => JSON.stringify(entry))];
  return lifecycle.acceptReport(runId, token, async () => (await database.run(ADD, values)).length > 0);
}
