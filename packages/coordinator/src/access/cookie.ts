import type { IncomingMessage } from "node:http";

/** A cookie belongs to a host with all its ports, so its name contains the port. */
function cookieName({ headers }: IncomingMessage): string {
  const port = /:(\d+)$/.exec(headers.host ?? "")?.[1];
  return port === undefined ? "tenterhook" : `tenterhook_${port}`;
}

export function readSessionCookie(incoming: IncomingMessage): string | undefined {
  const wanted = cookieName(incoming);
  for (const pair of (incoming.headers.cookie ?? "").split(";")) {
    const [name = "", value = ""] = pair.trim().split("=", 2);
    if (name === wanted && value !== "") return value;
  }
  return undefined;
}

/** The Set-Cookie header that logs in, or with `undefined` out. No script reads it, and no other site's page sends it. */
export function sessionCookie(
  incoming: IncomingMessage,
  secret: string | undefined,
  seconds: number,
): string {
  return [
    `${cookieName(incoming)}=${secret ?? ""}`,
    "Path=/",
    "HttpOnly",
    "SameSite=Strict",
    `Max-Age=${secret === undefined ? 0 : seconds}`,
    ...(isSecure(incoming) ? ["Secure"] : []),
  ].join("; ");
}

/** Where the client found the coordinator: behind a proxy that is not where it listens. */
export function ownOrigin(incoming: IncomingMessage): string {
  return `${isSecure(incoming) ? "https" : "http"}://${incoming.headers.host}`;
}

function isSecure({ headers }: IncomingMessage): boolean {
  return headers["x-forwarded-proto"] === "https";
}
