import type { IncomingMessage } from "node:http";
import { LEASE_HEADER, leaseToken } from "@tenterhook/protocol/runs";
import { Problem } from "../problem.ts";

/** For requests without a body. A lease token is never part of a URL: URLs are written to logs. */
export const LEASE_HEADERS = { [LEASE_HEADER]: "the run's lease_token" };

/** The lease of a request without a body. */
export function leaseOf({ headers }: IncomingMessage): string {
  const { success, data } = leaseToken.safeParse(headers[LEASE_HEADER.toLowerCase()]);
  if (success) return data;
  throw new Problem("bad_request", "the header with the run's lease_token is missing or invalid", {
    field: LEASE_HEADER,
  });
}
