import type { IncomingMessage } from "node:http";
import type { Scope } from "@tenterhook/protocol/runs";
import type { Database } from "../database/database.ts";
import { Problem } from "../problem.ts";
import { sessionCookie } from "./cookie.ts";
import { createToken, findToken, hashOf, useUpCode } from "./tokens.ts";

/** How long a link that logs in may wait to be opened. */
const CODE_SECONDS = 300;
/** How long somebody stays logged in to the page. */
const SESSION_SECONDS = 30 * 86_400;

/** Makes a code that logs somebody in, once, soon. */
export async function newLoginCode(database: Database, scope: Scope) {
  return createToken(database, { kind: "code", name: "a link that logs in", scope, seconds: CODE_SECONDS });
}

/** Logs somebody in who followed a link. Returns the Set-Cookie header. */
export async function logInByCode(
  database: Database,
  incoming: IncomingMessage,
  code: string,
): Promise<string> {
  const row = await useUpCode(database, code);
  if (row === undefined) {
    throw new Problem("unauthenticated", "the link was used before, or is too old", {
      hint: "Get a new one from the command that gave it to you.",
    });
  }
  return newSession(database, incoming, "the page, by a link", row.scope);
}

/** Logs somebody in who has a token. Returns the Set-Cookie header. */
export async function logInByToken(
  database: Database,
  incoming: IncomingMessage,
  token: string,
): Promise<string> {
  const row = await findToken(database, hashOf(token));
  if (row?.kind !== "token") {
    throw new Problem("unauthenticated", "the token is unknown, has expired or was revoked", {
      field: "token",
    });
  }
  return newSession(database, incoming, `the page, with ${row.name}`, row.scope);
}

async function newSession(
  database: Database,
  incoming: IncomingMessage,
  name: string,
  scope: Scope,
): Promise<string> {
  const { secret } = await createToken(database, { kind: "session", name, scope, seconds: SESSION_SECONDS });
  return sessionCookie(incoming, secret, SESSION_SECONDS);
}
