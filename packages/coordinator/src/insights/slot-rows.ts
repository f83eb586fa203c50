import { BUCKET_COUNT } from "@tenterhook/protocol/runs";
import { allOf, type Fragment, sql, verbatim } from "../database/fragment.ts";
import { stepsOf } from "./rollup-tables.ts";
import type { SlotRange } from "./slots.ts";

export const RUN_COLUMNS = ["created", "started", "completed", "failed", "stopped"] as const;
export const USAGE_COLUMNS = ["calls", "input_tokens", "output_tokens", "cost", "unpriced_calls"] as const;

/** SQL that adds up columns of roll-ups. */
export function sumOf(columns: readonly string[]): Fragment {
  return verbatim(columns.map((column) => `sum(${column})::float8 AS ${column}`).join(", "));
}

/** SQL that adds up a column with counts by bucket, as an array. */
export function bucketSums(column: string, name = column): Fragment {
  const sums = Array.from(
    { length: BUCKET_COUNT },
    (_, bucket) => `coalesce(sum(${column}[${bucket + 1}]), 0)`,
  );
  return verbatim(`to_jsonb(ARRAY[${sums.join(", ")}]::float8[]) AS ${name}`);
}

/** Conditions on columns, for those that have a value. */
export function equalTo(columns: Readonly<Record<string, string | undefined>>): Fragment {
  return allOf(
    Object.entries(columns).map(([column, value]) =>
      value === undefined ? undefined : sql`${verbatim(column)} = ${value}`,
    ),
  );
}

/**
 * SQL for the rows of a table in these slots, as `slot`, with the `period` that they belong to. Range by range through the primary key:
 * the planner would combine ranges with OR only by reading all rows.
 */
export function slotRows(
  table: string,
  ranges: readonly (SlotRange & { readonly period?: number })[],
  condition: Fragment,
): Fragment {
  const times = (each: (range: SlotRange) => number) =>
    ranges.map((range) => new Date(each(range)).toISOString());
  const hasHours = stepsOf(table).includes(60);
  const steps = ranges.map(({ step }) => (step === 60 && !hasHours ? 15 : step));
  return sql`unnest(${steps}::smallint[], ${times(({ fromMs }) => fromMs)}::timestamptz[],
      ${times(({ toMs }) => toMs)}::timestamptz[], ${ranges.map(({ period = 0 }) => period)}::int[])
      AS part (of_step, from_time, to_time, period), LATERAL (
      SELECT * FROM ${verbatim(table)} WHERE step = part.of_step AND since >= part.from_time AND since < part.to_time AND ${condition}
    ) AS slot`;
}
