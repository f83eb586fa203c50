import type { IncomingMessage } from "node:http";
import { Problem } from "../problem.ts";

/** Refuses requests of pages of other sites; for requests that carry a cookie, or set one. */
export function checkOrigin({ headers }: IncomingMessage): void {
  const { origin, host } = headers;
  const isOwn =
    origin === undefined
      ? headers["sec-fetch-site"] === "same-origin"
      : readHost(origin) === host?.toLowerCase();
  if (isOwn) return;
  throw new Problem("origin_refused", "the request was made by a page of another site", {
    hint: "Programs use a token instead of a cookie.",
  });
}

function readHost(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
