import {
  newToken,
  pageQuery,
  revokedToken,
  revokeQuery,
  type TokenRecord,
  tokenRequest,
  tokensPage,
} from "@tenterhook/protocol/runs";
import { revokeAccess } from "../../access/revoke-access.ts";
import { createToken, type TokenRow } from "../../access/tokens.ts";
import { listTokens } from "../../lists/token-list.ts";
import { notFound } from "../../problem.ts";
import { type Operation, operation } from "../operation.ts";
import { idParameter } from "../parameters.ts";
import type { Services } from "../services.ts";

/** Access tokens. */
export function tokens({ coordinator: { database }, tokens: known }: Services): Operation[] {
  const create = operation(
    "POST /tokens",
    {
      permission: "administer",
      summary: "Make a token; its secret is shown this once, and it ends with the token that made it",
      body: tokenRequest,
      responses: { 201: newToken },
    },
    async ({ body: { name, scope, expires_in_seconds, runner_name, runner_tags }, identity }) => {
      const { row, secret } = await createToken(database, {
        kind: "token",
        name,
        scope,
        seconds: expires_in_seconds,
        maker: { id: identity.tokenId, scope: identity.scope },
        binding: { runner_name: runner_name ?? null, runner_tags: runner_tags ?? null },
      });
      return { status: 201, body: { ...tokenView(row), token: secret } };
    },
  );

  const list = operation(
    "GET /tokens",
    {
      permission: "administer",
      summary: "List tokens that count, the newest first",
      query: pageQuery,
      responses: { 200: tokensPage },
    },
    async ({ query }) => ({ status: 200, body: await listTokens(database, query) }),
  );

  const revoke = operation(
    "DELETE /tokens/{id}",
    {
      permission: "administer",
      summary:
        "Revoke a token and everything that was made with it; they count for at most two more seconds anywhere",
      params: idParameter,
      query: revokeQuery,
      responses: { 200: revokedToken },
    },
    async ({ params: { id }, query: { even_last_admin = false } }) => {
      const revoked = await revokeAccess(database, id, { evenLastAdmin: even_last_admin });
      if (revoked.length === 0) throw notFound("token", id);
      known.end(revoked.map((each) => each.id));
      const others = revoked.filter((each) => each.id !== id && each.is_current);
      const count = (kind: string) => others.filter((each) => each.kind === kind).length;
      const also = { tokens: count("token"), sessions: count("session") };
      return { status: 200, body: { token_id: id, also } };
    },
  );

  return [create, list, revoke];
}

function tokenView(row: TokenRow): TokenRecord {
  const { id, name, scope, made_with, runner_name, created_at, expires_at, used_at } = row;
  const runner_tags = row.runner_tags === null ? null : [...row.runner_tags];
  const record = { token_id: id, kind: "token", name, scope, made_with, runner_name, runner_tags } as const;
  return { ...record, created_at, expires_at, used_at };
}
