import { TenterhookError } from "@tenterhook/protocol";

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

  constructor(fields: SqlErrorFields) {
    super(fields.message ?? "The database refused a statement.");
    this.code = fields.code ?? "XX000";
    this.detail = fields.detail;
    this.constraint = fields.constraint;
    this.table = fields.table;
    this.column = fields.column;
    this.routine = fields.routine;
  }
}

/** The same work may succeed when it is tried again: two transactions were in conflict, or the tables have changed. */
export function isConflict(error: unknown): boolean {
  if (!(error instanceof SqlError)) return false;
  return error.code === "40001" || error.code === "40P01" || isStalePlan(error);
}

/** A prepared statement selects other columns than when it was prepared: a newer coordinator has migrated the database. */
export function isStalePlan(error: unknown): boolean {
  // The code alone only means "not supported".
  return error instanceof SqlError && error.code === "0A000" && error.routine === "RevalidateCachedQuery";
}

/** SQLSTATE of a disk that is full, or a quota that is used up. */
const DISK_FULL = "53100";
/** Messages of the engine when it cannot continue. The last is a limit on the size of files. */
const NO_ROOM = /No space left on device|Disk quota exceeded|File too large/i;

/** The database is reachable and cannot write: its disk is full. */
export function isDiskFull(error: unknown): error is Error {
  if (error instanceof SqlError) return error.code === DISK_FULL || NO_ROOM.test(error.message);
  return TenterhookError.isInstance(error) && error.code === "store_full";
}

/** The tables are not those of this version, which therefore sends no statement. */
export function isOtherSchema(error: unknown): error is TenterhookError {
  return (
    TenterhookError.isInstance(error) && (error.code === "store_newer" || error.code === "store_changed")
  );
}

/** The database cannot execute any statement at present; the same call may succeed later. */
export function isUnavailable(error: unknown): boolean {
  if (isDiskFull(error) || isOtherSchema(error)) return true;
  return TenterhookError.isInstance(error) && error.code === "store_unavailable";
}

export function unavailable(message: string, cause?: unknown): TenterhookError {
  return new TenterhookError(NO_ROOM.test(message) ? "store_full" : "store_unavailable", message, { cause });
}

/** SQLSTATE classes of data that the database cannot take, of broken constraints, and of statements that are too large. */
const CLASSES_OF_ROWS = /^(?:22|23|54)/;

/**
 * Whether an error comes from the row that was processed, so that a repetition fails in the same way. An error of a database that
 * is unreachable, full or being stopped does not.
 */
export function isRowFault(error: unknown): boolean {
  if (error instanceof SqlError) return CLASSES_OF_ROWS.test(error.code);
  return !isUnavailable(error);
}
