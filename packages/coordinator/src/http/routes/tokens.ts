import { newToken, pageQuery, type TokenRecord, tokenRequest, tokensPage } from "@tenterhook/protocol/runs";
import { createToken, revokeToken, type TokenRow } from "../../access/tokens.ts";
import { listTokens } from "../../lists/token-list.ts";
import { Problem } from "../../problem.ts";
import { type Operation, operation } from "../operation.ts";
import { idParameter } from "../parameters.ts";
import type { Services } from "../services.ts";

/** Who may come in. */
export function tokens({ coordinator: { database }, tokens: known }: Services): Operation[] {
  const create = operation(
    {
      method: "post",
      path: "/tokens",
      permission: "administer",
      summary: "Make a token; its secret is shown this once",
      body: tokenRequest,
      answers: { 201: newToken },
    },
    async ({ body: { name, scope, expires_in_seconds } }) => {
      const wanted = { kind: "token", name, scope, seconds: expires_in_seconds } as const;
      const { row, secret } = await createToken(database, wanted);
      return { status: 201, body: { ...tokenView(row), token: secret } };
    },
  );

  const list = operation(
    {
      method: "get",
      path: "/tokens",
      permission: "administer",
      summary: "List tokens that count, the newest first",
      query: pageQuery,
      answers: { 200: tokensPage },
    },
    async ({ query }) => ({ status: 200, body: await listTokens(database, query) }),
  );

  const revoke = operation(
    {
      method: "delete",
      path: "/tokens/{id}",
      permission: "administer",
      summary: "Revoke a token; it counts for at most two more seconds anywhere",
      params: idParameter,
      answers: { 204: "nothing" },
    },
    async ({ params: { id } }) => {
      const revoked = await revokeToken(database, id);
      if (revoked.length === 0) throw new Problem("not_found", `there is no token "${id}"`);
      for (const each of revoked) known.forget(each.id);
      return { status: 204 };
    },
  );

  return [create, list, revoke];
}

function tokenView(row: TokenRow): TokenRecord {
  const { id, name, scope, created_at, expires_at, used_at } = row;
  return { token_id: id, kind: "token", name, scope, created_at, expires_at, used_at };
}
