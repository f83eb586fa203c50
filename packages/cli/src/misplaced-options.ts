import { UsageError } from "./usage-error.ts";

/** Throws a `UsageError` for the first of some options that was given although it does not apply. */
export function refuseMisplaced(
  values: Readonly<Record<string, unknown>>,
  options: readonly string[],
  { reason, hint }: { readonly reason: string; readonly hint: string },
): void {
  const misplaced = options.find((name) => isGiven(values[name]));
  if (misplaced !== undefined) throw new UsageError(`--${misplaced} ${reason}.`, hint);
}

function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
}
