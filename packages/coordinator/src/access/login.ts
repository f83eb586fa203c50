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
export function newLoginCode(database: Database, scope: Scope, madeWith: string | null) {
  const name = "a link that logs in";
  return createToken(database, { kind: "code", name, scope, madeWith, seconds: CODE_SECONDS });
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
  return newSession(database, incoming, "the page, by a link", row.scope, row.made_with);
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
  return newSession(database, incoming, `the page, with ${row.name}`, row.scope, row.id);
}

async function newSession(
  database: Database,
  incoming: IncomingMessage,
  name: string,
  scope: Scope,
  madeWith: string | null,
): Promise<string> {
  const wanted = { kind: "session", name, scope, madeWith, seconds: SESSION_SECONDS } as const;
  const { secret } = await createToken(database, wanted);
  return sessionCookie(incoming, secret, SESSION_SECONDS);
}
