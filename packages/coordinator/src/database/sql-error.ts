import { TenterhookError } from "@tenterhook/protocol";
import { sqlMeaning } from "./sql-state.ts";

/** The fields of an error as PostgreSQL reports it, with both drivers. */
export interface SqlErrorFields {
  readonly message?: string | undefined;
  readonly code?: string | undefined;
  readonly detail?: string | undefined;
  readonly constraint?: string | undefined;
  readonly table?: string | undefined;
  readonly column?: string | undefined;
  /** Where in PostgreSQL's code it arose. */
  readonly routine?: string | undefined;
}

/** The database refused a statement. `code` is the SQLSTATE. */
export class SqlError extends Error {
  override readonly name = "SqlError";
  readonly code: string;
  readonly detail: string | undefined;
  readonly constraint: string | undefined;
  readonly table: string | undefined;
  readonly column: string | undefined;
  readonly routine: string | undefined;
  /** Every other write failed as well while this statement waited. */
  readonly affectsAll: boolean;

  constructor(fields: SqlErrorFields, { affectsAll = false } = {}) {
    super(fields.message ?? "The database refused a statement.");
    this.code = fields.code ?? "XX000";
    this.detail = fields.detail;
    this.constraint = fields.constraint;
    this.table = fields.table;
    this.column = fields.column;
    this.routine = fields.routine;
    this.affectsAll = affectsAll;
  }
}

/** The same work may succeed when it is tried again: two transactions were in conflict, or the tables have changed. */
export function isConflict(error: unknown): boolean {
  return error instanceof SqlError && (sqlMeaning(error.code) === "conflict" || isStalePlan(error));
}

/** A prepared statement selects other columns than when it was prepared: a newer coordinator has migrated the database. */
export function isStalePlan(error: unknown): boolean {
  // The code alone only means "not supported".
  return error instanceof SqlError && error.code === "0A000" && error.routine === "RevalidateCachedQuery";
}

/** Messages of the engine when it cannot continue. The last is a limit on the size of files. */
const NO_ROOM = /No space left on device|Disk quota exceeded|File too large/i;

/** The database is reachable and cannot write: its disk is full. */
export function isDiskFull(error: unknown): error is Error {
  if (error instanceof SqlError) return sqlMeaning(error.code) === "full" || NO_ROOM.test(error.message);
  return TenterhookError.isInstance(error) && error.code === "store_full";
}

/** The tables are not those of this version, which therefore sends no statement. */
export function isOtherSchema(error: unknown): error is TenterhookError {
  return (
    TenterhookError.isInstance(error) && (error.code === "store_newer" || error.code === "store_changed")
  );
}

/** The database did not execute a statement for a reason outside of it; the same call may succeed later. */
export function isUnavailable(error: unknown): boolean {
  if (isDiskFull(error) || isOtherSchema(error) || isStalePlan(error)) return true;
  if (error instanceof SqlError) return !["row", "defect"].includes(sqlMeaning(error.code));
  return TenterhookError.isInstance(error) && error.code === "store_unavailable";
}

export function unavailable(message: string, cause?: unknown): TenterhookError {
  return new TenterhookError(NO_ROOM.test(message) ? "store_full" : "store_unavailable", message, { cause });
}

/**
 * Whether an error comes from the row that was processed, so that a repetition fails in the same way. An error of a database that
 * is unreachable, full or being stopped does not.
 */
export function isRowFault(error: unknown): boolean {
  if (error instanceof SqlError) return sqlMeaning(error.code) === "row";
  return !isUnavailable(error);
}

/** Whether a statement alone took too long, or waited for a lock, while others were executed: its row may be the cause. */
export function isOwnDelay(error: unknown): boolean {
  return error instanceof SqlError && sqlMeaning(error.code) === "momentary" && !error.affectsAll;
}

/** Conditions of a server that no coordinator can write to. Silence is not one: others may reach it. */
const DOWN = new Set(["57P02", "57P03", "ECONNREFUSED"]);

/** Whether an error shows that the database takes no writes from any coordinator, and not only from this one. */
export function takesNoWrites(error: unknown): error is Error {
  if (isDiskFull(error)) return true;
  if (error instanceof SqlError) return error.affectsAll || sqlMeaning(error.code) === "no_writes";
  if (!TenterhookError.isInstance(error) || error.code !== "store_unavailable") return false;
  const causes = error.cause instanceof AggregateError ? error.cause.errors : [error.cause];
  return (
    causes.length > 0 &&
    causes.every((cause) => cause instanceof Error && "code" in cause && DOWN.has(String(cause.code)))
  );
}
