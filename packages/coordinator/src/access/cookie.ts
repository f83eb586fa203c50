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

/** The Set-Cookie header that signs in; out with an empty secret. Scripts cannot read the cookie, and pages of other sites cannot send it. */
export function sessionCookie(incoming: IncomingMessage, secret: string, seconds: number): string {
  return [
    `${cookieName(incoming)}=${secret}`,
    "Path=/",
    "HttpOnly",
    "SameSite=Strict",
    `Max-Age=${seconds}`,
    ...(isSecure(incoming) ? ["Secure"] : []),
  ].join("; ");
}

/** The origin that the client used; behind a proxy it is not the address that the coordinator listens on. */
export function ownOrigin(incoming: IncomingMessage): string {
  return `${isSecure(incoming) ? "https" : "http"}://${incoming.headers.host}`;
}

function isSecure({ headers }: IncomingMessage): boolean {
  return headers["x-forwarded-proto"] === "https";
}
