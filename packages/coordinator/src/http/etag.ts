import type { IncomingMessage } from "node:http";
import type { Expected } from "../agents/save-agent.ts";
import { Problem } from "../problem.ts";

export const ETAG_HEADERS = {
  "If-Match": "the etag that you have read: nothing is changed when it has changed since",
  "If-None-Match": "`*` to create, and never to replace",
};

/** The precondition of a request that changes something. */
export function expectedOf({ headers }: IncomingMessage): Expected {
  const match = headers["if-match"]?.trim();
  const noneMatch = headers["if-none-match"]?.trim();
  if (match !== undefined && noneMatch !== undefined) {
    throw new Problem("bad_request", "If-Match and If-None-Match exclude each other");
  }
  if (noneMatch !== undefined) {
    if (noneMatch === "*") return "absent";
    throw new Problem("bad_request", "If-None-Match can only be `*` here", { field: "If-None-Match" });
  }
  if (match === undefined) return undefined;
  return match === "*" ? "present" : { etag: match };
}

/** Whether a client that reads has this version already. */
export function isKnown({ headers }: IncomingMessage, etag: string): boolean {
  const known = headers["if-none-match"] ?? "";
  return known
    .split(",")
    .map((each) => each.trim().replace(/^W\//, ""))
    .some((each) => each === etag || each === "*");
}
