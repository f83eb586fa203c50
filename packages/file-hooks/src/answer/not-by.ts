import { NOT_BY } from "@tenterhook/protocol/internal";

/** Who may not decide what a hook asks, as it was written: `requester`, or a value that is not known. */
export type WrittenNotBy = string;

/** Reads the value of `not_by`; `undefined` when it states nothing. */
export function readNotBy(value: unknown): WrittenNotBy | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string") return JSON.stringify(value)?.slice(0, LONGEST) ?? "?";
  return value.trim().toLowerCase() === NOT_BY ? NOT_BY : value.slice(0, LONGEST);
}

const LONGEST = 80;

/** The stricter of two. A value that is not known is the strictest, because what cannot be enforced is refused. */
export function stricterNotBy(
  one: WrittenNotBy | undefined,
  other: WrittenNotBy | undefined,
): WrittenNotBy | undefined {
  return one === undefined || one === NOT_BY ? (other ?? one) : one;
}
