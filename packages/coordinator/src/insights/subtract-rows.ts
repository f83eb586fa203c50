import type { SignedRange } from "./slots.ts";

type Value = string | number | readonly number[];
type Signed<R> = R & Pick<SignedRange, "period">;

/** The sums of slots that are added, less those of slots that are subtracted. What nothing is left of has no row. */
export function subtractRows<R extends object>(
  rows: readonly Signed<R>[],
  keys: readonly string[],
): readonly R[] {
  const keyOf = (row: R) => JSON.stringify(keys.map((key) => row[key as keyof R]));
  const subtracted = new Map(rows.filter(({ period }) => period === 1).map((row) => [keyOf(row), row]));
  return rows
    .filter(({ period }) => period === 0)
    .flatMap((row) => {
      const less = subtracted.get(keyOf(row));
      return less === undefined ? [row] : subtractRow(row, less, keys);
    });
}

function subtractRow<R extends object>(
  row: Signed<R>,
  less: Signed<R>,
  keys: readonly string[],
): readonly R[] {
  const left = Object.entries<Value>(row as object as Record<string, Value>)
    .filter(([column]) => column !== "period" && !keys.includes(column))
    .map(([column, value]) => [column, subtract(value, less[column as keyof R] as Value)] as const);
  return left.some(([, value]) => isSome(value)) ? [{ ...row, ...Object.fromEntries(left) }] : [];
}

function subtract(value: Value, less: Value): Value {
  if (typeof value === "number" && typeof less === "number") return value - less;
  if (!Array.isArray(value) || !Array.isArray(less)) return value;
  return value.map((count, index) => count - less[index]);
}

/** Amounts that are not whole may leave a rest of rounding. */
function isSome(value: Value): boolean {
  return typeof value === "number" ? value >= 0.5 : typeof value !== "string" && value.some(isSome);
}
