import { REMOVED } from "./rollup-tables.ts";
import { RUN_COLUMNS } from "./slot-rows.ts";
import { SHORT_SLOT_DAYS, STEPS } from "./slots.ts";

/** What must be returned of runs that are removed, so that they can be counted. */
export const COUNTED_OF_REMOVED = "agent_name, created_at, started_at, finished_at, state";

const sums = RUN_COLUMNS.map((column) => `count(*) FILTER (WHERE what = '${column}') AS ${column}`);
const added = RUN_COLUMNS.map((column) => `${column} = ${REMOVED}.${column} + excluded.${column}`);

/**
 * SQL that counts removed runs, the rows of `gone`, in the slots in which they were created, started and ended. In the order of the key,
 * so that two statements that count at the same time do not wait for each other.
 */
export const COUNT_REMOVED = `
    INSERT INTO ${REMOVED} (step, since, agent, ${RUN_COLUMNS.join(", ")})
    SELECT slot.step, date_bin(slot.step * interval '1 minute', happened.at, timestamptz 'epoch') AS since, gone.agent_name, ${sums.join(", ")}
    FROM gone, LATERAL (VALUES ('created', gone.created_at), ('started', gone.started_at), (gone.state, gone.finished_at)) AS happened (what, at),
      (VALUES ${STEPS.map((step) => `(${step}::smallint)`).join(", ")}) AS slot (step)
    WHERE happened.at IS NOT NULL AND (slot.step > 5 OR happened.at > now() - interval '${SHORT_SLOT_DAYS} days')
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (step, since, agent) DO UPDATE SET ${added.join(", ")}`;
