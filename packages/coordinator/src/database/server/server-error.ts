import { messageOf } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import pg from "pg";
import { SqlError, unavailable } from "../sql-error.ts";
import { sqlMeaning } from "../sql-state.ts";

/** Converts an error of `pg`: the database refused a statement, or it cannot be reached. */
export function serverError(error: unknown): SqlError | TenterhookError {
  if (error instanceof pg.DatabaseError && !isUnreachable(error.code)) return new SqlError(error);
  return unavailable(`The database cannot be reached: ${reason(error)}.`, error);
}

/** SQLSTATE of a lock that was not free in time. */
const LOCK_TIMEOUT = "55P03";
/** SQLSTATE of a statement that took too long, or that a person has cancelled. */
const CANCELLED = "57014";

/** Whether the server gave a statement up because it took too long, or waited too long for a lock. Nothing of it was done. */
export function isTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === LOCK_TIMEOUT || error.code === CANCELLED);
}

/** Whether an attempt to connect may succeed a moment later. A wrong password or name stays wrong. */
export function isTransient(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || isUnreachable(error.code);
}

function isUnreachable(code: string | undefined): boolean {
  return code !== undefined && sqlMeaning(code) === "unreachable";
}

function reason(error: unknown): string {
  // A host with several addresses fails with an error that has a code and an empty message.
  if (error instanceof AggregateError) return error.errors.map(messageOf).join(", ");
  return messageOf(error).replace(/\.$/, "");
}

/** The error when a server refuses the first connection, with a hint at `DATABASE_URL`; never with the password. */
export function connectProblem(error: unknown, url: string): unknown {
  const { user, host, name } = addressOf(url);
  const what = refusal(error, user, host, name);
  if (what === undefined) return error;
  return new TenterhookError("store_unavailable", `The database cannot be used: ${what}`, {
    hint: "Check DATABASE_URL: postgres://USER:PASSWORD@HOST:PORT/DATABASE.",
  });
}

/**
 * The error for a database that cannot store every text. One with `SQL_ASCII` cannot either: it takes bytes for characters, so it cuts
 * text within a character, and refuses JSON with escapes.
 */
export function encodingProblem(encoding: string, url: string): TenterhookError {
  return new TenterhookError(
    "store_unavailable",
    `The database cannot be used: the database "${addressOf(url).name}" has the encoding ${encoding}, which cannot store every text.`,
    { hint: "Create one with CREATE DATABASE tenterhook ENCODING 'UTF8' TEMPLATE template0." },
  );
}

function refusal(error: unknown, user: string, host: string, name: string): string | undefined {
  const code = error instanceof SqlError ? error.code : undefined;
  if (code === "28P01") return `the password of the user "${user}" is wrong at ${host}.`;
  if (code?.startsWith("28"))
    return `the server at ${host} does not let the user "${user}" in: ${messageOf(error)}.`;
  if (code === "3D000") return `there is no database "${name}" at ${host}.`;
  if (code === "42501") return `the user "${user}" may not use the database "${name}" at ${host}.`;
  if (!TenterhookError.isInstance(error) || error.code !== "store_unavailable") return undefined;
  const reason = messageOf(error.cause);
  if (/ENOTFOUND|EAI_AGAIN/.test(reason)) return `there is no host of the name in ${host}.`;
  return `nothing answers at ${host} (${reason}).`;
}

/** Throws for an invalid URL, without quoting it, because it may contain a password. */
export function addressOf(url: string): {
  readonly user: string;
  readonly host: string;
  readonly name: string;
} {
  try {
    const { username, host, pathname, protocol } = new URL(url);
    if (!/^(?:postgres(?:ql)?|socket):$/.test(protocol)) throw new TypeError();
    return {
      user: decodeURIComponent(username),
      host: host === "" ? "this machine" : host,
      name: decodeURIComponent(pathname.slice(1)),
    };
  } catch {
    throw new TenterhookError("store_unavailable", "The address of the database is malformed.", {
      hint: "Check DATABASE_URL: postgres://USER:PASSWORD@HOST:PORT/DATABASE. Characters such as @ and / in the password are written as %40 and %2F.",
    });
  }
}
