import { loginLink, loginLinkRequest, loginRequest, whoAmI } from "@tenterhook/protocol/runs";
import { z } from "zod";
import { ownOrigin, sessionCookie } from "../../access/cookie.ts";
import { checkOrigin } from "../../access/origin.ts";
import { newSignInCode, RefusedLink, signInByCode, signInByToken } from "../../access/sign-in.ts";
import { revokeTokens } from "../../access/tokens.ts";
import { Problem } from "../../problem.ts";
import { type Operation, operation } from "../operation.ts";
import { isOpened } from "../page/page.ts";
import type { Services } from "../services.ts";

const codeQuery = z.strictObject({ code: z.string().min(1).max(200) });

/** Signing in to the page, and out of it. */
export function login({ coordinator: { database }, tokens }: Services): Operation[] {
  const byLink = operation(
    "GET /login",
    {
      permission: "anyone",
      summary: "Sign in by a link that works once",
      query: codeQuery,
      responses: { 303: "nothing" },
    },
    async ({ query: { code }, incoming }) => {
      // Programs that check links before people open them must not use them up.
      if (incoming.method === "HEAD") return { status: 303, headers: { location: "/" } };
      const signedIn = await tokens
        .lookUpUnknown(() => signInByCode(database, tokens, incoming, code))
        .then(
          (cookie) => ({ cookie }),
          (error: unknown) => {
            if (error instanceof Problem && error.code === "unauthenticated" && isOpened(incoming))
              return { refused: error instanceof RefusedLink ? error.reason : "used" };
            throw error;
          },
        );
      // The page explains it, and offers the other way to sign in.
      if ("refused" in signedIn) {
        return { status: 303, headers: { location: `/?link=${signedIn.refused}` } };
      }
      // The code must not reach other sites in a Referer, nor stay in the address.
      return {
        status: 303,
        headers: { location: "/", "set-cookie": signedIn.cookie, "referrer-policy": "no-referrer" },
      };
    },
  );

  const byToken = operation(
    "POST /login",
    {
      permission: "anyone",
      summary: "Sign in with a token",
      body: loginRequest,
      responses: { 204: "nothing" },
    },
    async ({ body: { token }, incoming }) => {
      // Otherwise another site could sign a person in as another user.
      if (incoming.headers.origin !== undefined) checkOrigin(incoming);
      const cookie = await tokens.lookUpUnknown(() => signInByToken(database, tokens, incoming, token));
      return { status: 204, headers: { "set-cookie": cookie } };
    },
  );

  const link = operation(
    "POST /login-links",
    {
      permission: "identify",
      summary: "Create a sign-in link that works once, with your own scope or a smaller one",
      body: loginLinkRequest,
      responses: { 201: loginLink },
    },
    async ({ body, identity: { scope, tokenId, name }, incoming }) => {
      const maker = { id: tokenId, scope };
      const { secret, row } = await newSignInCode(database, maker, { ...body, name: body.name ?? name });
      const url = `${ownOrigin(incoming)}/login?code=${secret}`;
      return { status: 201, body: { url, expires_at: row.expires_at ?? row.created_at } };
    },
  );

  const logout = operation(
    "POST /logout",
    {
      permission: "identify",
      summary: "Sign out of the page; what was made with the session ends with it",
      responses: { 204: "nothing" },
    },
    async ({ identity, incoming }) => {
      if (identity.via === "cookie") {
        const revoked = await revokeTokens(database, [identity.tokenId]);
        tokens.end(revoked.map(({ id }) => id));
      }
      return { status: 204, headers: { "set-cookie": sessionCookie(incoming, "", 0) } };
    },
  );

  const who = operation(
    "GET /whoami",
    {
      permission: "identify",
      summary: "Read the identity of the request",
      responses: { 200: whoAmI },
    },
    async ({ identity: { tokenId, name, scope } }) => ({
      status: 200,
      body: { token_id: tokenId, name, scope },
    }),
  );

  return [byLink, byToken, link, logout, who];
}
