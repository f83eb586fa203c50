import type { IncomingMessage } from "node:http";
import type { Scope } from "@tenterhook/protocol/runs";
import type { Database } from "../database/database.ts";
import { Problem } from "../problem.ts";
import { sessionCookie } from "./cookie.ts";
import type { KnownTokens } from "./known-tokens.ts";
import { createSession } from "./session-limit.ts";
import { createToken, findToken, isKnownCode, type Maker, useUpCode } from "./tokens.ts";

/** How long a sign-in link is valid, unless its maker ends before. */
const CODE_SECONDS = 300;
/** How long a person stays signed in, unless the maker of the session ends before. */
const SESSION_SECONDS = 30 * 86_400;

/** Makes a one-time code that signs a person in. The session will have this name and scope, which is within its maker's. */
export function newSignInCode(
  database: Database,
  maker: Maker,
  { name, scope = maker.scope }: { readonly name: string; readonly scope?: Scope | undefined },
) {
  return createToken(database, { kind: "code", name, scope, maker, seconds: CODE_SECONDS });
}

/** Signs in by a link. The session has the name of the link, and belongs to its maker. Returns the Set-Cookie header. */
export async function signInByCode(
  database: Database,
  tokens: KnownTokens,
  incoming: IncomingMessage,
  code: string,
): Promise<string> {
  const row = await useUpCode(database, code);
  if (row === undefined || row.made_with === null) throw await refusedLink(database, code);
  // The scope of the code was within its maker's, which never changes.
  return newSession(database, tokens, incoming, row.name, { id: row.made_with, scope: row.scope });
}

/** A link that does not sign in, and why. */
export class RefusedLink extends Problem {
  readonly reason: "used" | "unknown";

  constructor(reason: RefusedLink["reason"]) {
    super("unauthenticated", REFUSALS[reason].detail, { hint: REFUSALS[reason].hint });
    this.reason = reason;
  }
}

const REFUSALS = {
  used: {
    detail: "the link was used before, or is too old",
    hint: "Get a new one from the command that gave it to you.",
  },
  unknown: {
    detail: "the coordinator does not know this link",
    hint: "Open the whole link as it was given to you, or get a new one.",
  },
} as const;

async function refusedLink(database: Database, code: string): Promise<RefusedLink> {
  return new RefusedLink((await isKnownCode(database, code)) ? "used" : "unknown");
}

/** Signs in with a token. The session has the token's name. Returns the Set-Cookie header. */
export async function signInByToken(
  database: Database,
  tokens: KnownTokens,
  incoming: IncomingMessage,
  token: string,
): Promise<string> {
  const row = await findToken(database, token);
  if (row?.kind !== "token") {
    throw new Problem("unauthenticated", "the token is unknown, has expired or was revoked", {
      field: "token",
    });
  }
  return newSession(database, tokens, incoming, row.name, row);
}

async function newSession(
  database: Database,
  tokens: KnownTokens,
  incoming: IncomingMessage,
  name: string,
  maker: Maker,
): Promise<string> {
  const wanted = { name, maker, seconds: SESSION_SECONDS };
  const { secret, row, ended } = await createSession(database, wanted);
  if (ended.length > 0) tokens.end(ended);
  const { created_at, expires_at } = row;
  const seconds = (Date.parse(expires_at ?? created_at) - Date.parse(created_at)) / 1_000;
  return sessionCookie(incoming, secret, Math.ceil(seconds));
}
