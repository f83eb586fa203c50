import type { Queries, Statement } from "../database/database.ts";
import { rowReader } from "../database/row-reader.ts";
import { sqlState } from "../domain/run-state.ts";
import { newId } from "../store/new-id.ts";
import { recordCatalogueEvent } from "../store/record-catalogue-event.ts";
import type { RunnerRow } from "../store/rows.ts";

const REGISTER: Statement = {
  name: "register-runner",
  text: `
    INSERT INTO runners (id, name, tags, concurrency, info, registered_with)
    VALUES ($1, $2, $3::text[], $4, $5::jsonb, $6)
    ON CONFLICT (id) DO UPDATE SET name = excluded.name, tags = excluded.tags, concurrency = excluded.concurrency,
      info = excluded.info, seen_at = now(), gone_at = NULL, left_at = NULL,
      registered_with = coalesce(runners.registered_with, excluded.registered_with)
    WHERE runners.registered_with IS NULL OR runners.registered_with = excluded.registered_with OR $7::boolean
    RETURNING *`,
};

/** Stores a runner; one that registers again with its id is the same one. `undefined` when the id belongs to another token. */
export async function registerRunner(
  queries: Queries,
  runner: {
    readonly id?: string | undefined;
    readonly name: string;
    readonly tags: readonly string[];
    readonly concurrency: number;
    readonly info: Readonly<Record<string, unknown>>;
  },
  token: { readonly id: string; readonly isAdmin: boolean },
): Promise<RunnerRow | undefined> {
  const { id = newId("runner"), name, tags, concurrency, info } = runner;
  const values = [id, name, tags, concurrency, JSON.stringify(info), token.id, token.isAdmin];
  return (await queries.run<RunnerRow>(REGISTER, values))[0];
}

/** Records that a runner is alive. One that has left comes back only by registering: an earlier request may arrive after it left. */
export const recordSeen = rowReader<RunnerRow>({
  name: "see-runner",
  text: "UPDATE runners SET seen_at = now(), gone_at = NULL WHERE id = $1 AND left_at IS NULL RETURNING *",
});

/** Records that a runner ended because it was told to. */
export const recordLeft = rowReader<RunnerRow>({
  name: "runner-left",
  text: "UPDATE runners SET seen_at = now(), gone_at = now(), left_at = now() WHERE id = $1 RETURNING *",
});

export const readRunner = rowReader<RunnerRow>({
  name: "read-runner",
  text: "SELECT * FROM runners WHERE id = $1",
});

const DRAIN: Statement = {
  name: "drain-runner",
  text: "UPDATE runners SET is_draining = $2 WHERE id = $1 AND is_draining <> $2 RETURNING *",
};

/** Drains or undrains a runner. A runner that is drained gets no new runs, and ends the ones it has. */
export async function drainRunner(
  queries: Queries,
  id: string,
  isDraining: boolean,
  by: string,
): Promise<void> {
  const [changed] = await queries.run<RunnerRow>(DRAIN, [id, isDraining]);
  if (changed === undefined) return;
  const type = isDraining ? "runner_drained" : "runner_undrained";
  await recordCatalogueEvent(queries, { type, data: { runner_id: id, runner_name: changed.name, by } });
}

const RENEW: Statement = {
  name: "renew-leases",
  text: `
    UPDATE runs SET lease_until = now() + make_interval(secs => $3)
    WHERE runner_id = $1 AND lease_until IS NOT NULL AND lease_token = ANY($2::uuid[]) AND state ${sqlState.leased}
    RETURNING id, state, lease_token`,
};

/** Renews the leases of a runner. Leases that are not returned are lost. */
export function renewLeases(
  queries: Queries,
  runnerId: string,
  tokens: readonly string[],
  leaseSeconds: number,
): Promise<{ readonly id: string; readonly state: string; readonly lease_token: string }[]> {
  return queries.run(RENEW, [runnerId, tokens, leaseSeconds]);
}

/** The next run that a runner is to stop, once. */
export const nextStopOrder = rowReader<{ readonly id: string; readonly lease_token: string }>({
  name: "stop-order",
  text: `
    UPDATE runs SET stop_told_at = now()
    WHERE id = (
      SELECT id FROM runs WHERE runner_id = $1 AND lease_until IS NOT NULL AND state = 'stopping' AND stop_told_at IS NULL
      FOR UPDATE SKIP LOCKED LIMIT 1)
    RETURNING id, lease_token`,
});
