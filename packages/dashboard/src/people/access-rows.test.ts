import type { TokenRecord } from "@tenterhook/protocol/runs";
import { expect, test } from "vitest";
import { accessRows, belowText } from "./access-rows.ts";

const token = (token_id: string, made_with: string | null, more: Partial<TokenRecord> = {}): TokenRecord => ({
  token_id,
  kind: "token",
  name: `name of ${token_id}`,
  scope: "viewer",
  made_with,
  runner_name: null,
  runner_tags: null,
  created_at: "2026-11-15T10:00:00.000Z",
  expires_at: null,
  used_at: null,
  ...more,
});
const admin = { scope: "admin" } as const;
const person = { kind: "session" } as const;
const TOKENS = [
  token("root", null, admin),
  token("ana", "root", { ...admin, ...person }),
  token("ben", "ana", person),
  token("build", "ana"),
  token("other", "root"),
];
const row = (id: string, tokens = TOKENS) => {
  const found = accessRows(tokens, "ana").find(({ token_id }) => token_id === id);
  if (found === undefined) throw new Error(`no row of ${id}`);
  return found;
};

test("a row has the name of its maker; the first token has none", () => {
  expect(row("ben").madeBy).toBe("name of ana");
  expect(row("root").madeBy).toBeUndefined();
});

test("what a token made, directly or not, ends with it", () => {
  expect(row("root").below.map(({ token_id }) => token_id)).toEqual(["ana", "ben", "build", "other"]);
  expect(belowText(row("root").below)).toBe("2 tokens and 2 people");
  expect(belowText(row("ana").below)).toBe("1 token and 1 person");
  expect(belowText(row("ben").below)).toBe("");
});

test("the user's own session, and all that it was made with, sign the user out", () => {
  expect(TOKENS.map(({ token_id }) => row(token_id).endsYou)).toEqual([true, true, false, false, false]);
  expect(row("ana").isYou).toBe(true);
  expect(row("root").isYou).toBe(false);
});

test("no administrator remains without a token that made all the others", () => {
  expect(row("root").endsAdministrators).toBe(true);
  expect(row("ana").endsAdministrators).toBe(false);
  expect(row("other").endsAdministrators).toBe(false);
  expect(row("root", [...TOKENS, token("second", null, admin)]).endsAdministrators).toBe(false);
});
