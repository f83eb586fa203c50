import type { IncomingMessage } from "node:http";
import { mayDo, type Permission } from "@tenterhook/protocol/runs";
import { Problem } from "../problem.ts";
import { readSessionCookie } from "./cookie.ts";
import type { Identity, KnownTokens } from "./known-tokens.ts";
import { checkOrigin } from "./origin.ts";

const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);

/** Authenticates a request by its bearer token or its session cookie, and checks the permission. */
export async function authenticate(
  incoming: IncomingMessage,
  tokens: KnownTokens,
  permission: Permission,
): Promise<Identity> {
  const identity = await findIdentity(incoming, tokens);
  if (!mayDo(identity.scope, permission)) {
    throw new Problem("forbidden", `a token with the scope "${identity.scope}" does not allow this`, {
      hint: "Ask an administrator for a token with another scope.",
    });
  }
  return identity;
}

/** The bearer token or the session cookie of a request; the secret is empty if the header is malformed. */
export function readCredential(
  incoming: IncomingMessage,
): { readonly secret: string; readonly via: Identity["via"] } | undefined {
  const { authorization } = incoming.headers;
  if (authorization !== undefined) {
    const [, secret = ""] = /^Bearer +(\S+) *$/i.exec(authorization) ?? [];
    return { secret, via: "bearer" };
  }
  const secret = readSessionCookie(incoming);
  return secret === undefined ? undefined : { secret, via: "cookie" };
}

async function findIdentity(incoming: IncomingMessage, tokens: KnownTokens): Promise<Identity> {
  const credential = readCredential(incoming);
  const identity =
    credential === undefined ? undefined : await tokens.identify(credential.secret, credential.via);
  if (credential?.via === "bearer") {
    if (identity !== undefined) return identity;
    throw new Problem("unauthenticated", "the token is unknown, has expired or was revoked");
  }
  if (identity === undefined) {
    throw new Problem("unauthenticated", "there is no token in the request", {
      hint: "Send `Authorization: Bearer …`. The coordinator's data folder has a token in the file `token`.",
    });
  }
  // A browser sends the cookie with requests of any site.
  if (!SAFE.has(incoming.method ?? "")) checkOrigin(incoming);
  return identity;
}
