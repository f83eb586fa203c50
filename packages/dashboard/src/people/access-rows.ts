import type { TokenRecord } from "@tenterhook/protocol/runs";
import { countText } from "../components/count-text.ts";

/** Someone or something that has access, and what ends with it. */
export interface AccessRow extends TokenRecord {
  /** The name of the token or person that made it; undefined for the token of the coordinator's data folder. */
  readonly madeBy: string | undefined;
  /** The session of this page. */
  readonly isYou: boolean;
  /** Revoking it would sign the user out. */
  readonly endsYou: boolean;
  /** Revoking it would leave no administrator. */
  readonly endsAdministrators: boolean;
  /** What was made with it, directly or not. */
  readonly below: readonly TokenRecord[];
}

/** The rows of the page. `own` is the id of the user's own session. */
export function accessRows(tokens: readonly TokenRecord[], own: string): readonly AccessRow[] {
  const names = new Map(tokens.map(({ token_id, name }) => [token_id, name]));
  const made = new Map<string | null, TokenRecord[]>();
  for (const token of tokens) made.set(token.made_with, [...(made.get(token.made_with) ?? []), token]);
  const isAdmin = ({ scope }: TokenRecord) => scope === "admin";
  const administrators = tokens.filter(isAdmin).length;
  return tokens.map((token) => {
    const below = findBelow(token.token_id, made);
    const ending = [token, ...below];
    return {
      ...token,
      madeBy: token.made_with === null ? undefined : (names.get(token.made_with) ?? token.made_with),
      isYou: token.token_id === own,
      endsYou: ending.some(({ token_id }) => token_id === own),
      endsAdministrators: isAdmin(token) && ending.filter(isAdmin).length === administrators,
      below,
    };
  });
}

type Made = ReadonlyMap<string | null, readonly TokenRecord[]>;

function findBelow(id: string, made: Made): readonly TokenRecord[] {
  return (made.get(id) ?? []).flatMap((token) => [token, ...findBelow(token.token_id, made)]);
}

/** `2 tokens and 1 person`, of what ends with a token. */
export function belowText(below: readonly TokenRecord[]): string {
  const people = below.filter(({ kind }) => kind === "session").length;
  const tokens = below.length - people;
  const parts = [
    ...(tokens === 0 ? [] : [countText(tokens, "token")]),
    ...(people === 0 ? [] : [countText(people, "person", { plural: "people" })]),
  ];
  return parts.join(" and ");
}
