import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { App } from "./mount.ts";

export interface ListenOptions {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** How long requests that are under way have when it closes. */
  readonly graceMs: number;
}

export interface HttpServer {
  readonly url: string;
  /** Stops listening, and lets what is under way end. */
  close(): Promise<void>;
}

/** Serves an application over HTTP. */
export async function listen(app: App, { host, port, graceMs }: ListenOptions): Promise<HttpServer> {
  const server = createServer(
    {
      // For receiving a request, not for answering it. The bounds are on clients that send a byte now and then.
      requestTimeout: 30_000,
      headersTimeout: 10_000,
      // Longer than the minute after which proxies drop idle connections: they, not we, should be the ones to hang up.
      keepAliveTimeout: 75_000,
      maxHeaderSize: 16 * 1024,
    },
    getRequestListener(app.fetch, {
      // The process belongs to whoever embeds the coordinator; answers do not go through `Response` anyway.
      overrideGlobalObjects: false,
      errorHandler: () => badRequest(),
    }),
  );
  server.listen(port, host);
  await once(server, "listening");
  return { url: urlOf(server, host), close: () => close(server, graceMs) };
}

/** What cannot be read as a request at all, such as one with a malformed Host. */
function badRequest(): Response {
  const body = {
    type: "urn:tenterhook:problem:bad_request",
    title: "The request cannot be read",
    status: 400,
    code: "bad_request",
    detail: "its address or its Host header is malformed",
  };
  return Response.json(body, { status: 400, headers: { "content-type": "application/problem+json" } });
}

async function close(server: Server, graceMs: number): Promise<void> {
  const closed = once(server, "close");
  server.close();
  // A connection whose answer is through is idle, and would be kept open for the next request.
  const idle = setInterval(() => server.closeIdleConnections(), 20);
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(timer);
}

function urlOf(server: Server, host: string): string {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a listening server has a port");
  const isAnywhere = host === "0.0.0.0" || host === "::";
  const name = isAnywhere ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${address.port}`;
}
