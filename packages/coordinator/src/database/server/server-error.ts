import { messageOf, type TenterhookError } from "@tenterhook/protocol";
import pg from "pg";
import { SqlError, unavailable } from "../sql-error.ts";

// What a server says that starts, stops, is full, or has ended a connection that was idle for too long:
// https://www.postgresql.org/docs/current/errcodes-appendix.html
const ABSENT = new Set(["57P01", "57P02", "57P03", "57P04", "57P05", "53300", "25P03", "25P04"]);

/** What an error of `pg` means: the database refused a statement, or it cannot be reached. */
export function serverError(error: unknown): SqlError | TenterhookError {
  if (error instanceof pg.DatabaseError && !isAbsence(error.code)) return new SqlError(error);
  return unavailable(`The database cannot be reached: ${reason(error)}.`, error);
}

/** Whether an attempt to connect may succeed a moment later. A wrong password or name stays wrong. */
export function isPassing(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || isAbsence(error.code);
}

function isAbsence(code: string | undefined): boolean {
  return code !== undefined && (ABSENT.has(code) || code.startsWith("08"));
}

function reason(error: unknown): string {
  // A host with several addresses fails with an error that has a code and an empty message.
  if (error instanceof AggregateError) return error.errors.map(messageOf).join(", ");
  return messageOf(error).replace(/\.$/, "");
}
