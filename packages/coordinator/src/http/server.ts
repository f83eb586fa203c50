import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { limitPipelining } from "./pipelining.ts";

export interface ListenOptions {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** How long active requests may take when it closes. */
  readonly graceMs: number;
}

export interface HttpServer {
  readonly url: string;
  /** Stops listening, and lets active requests end. */
  close(): Promise<void>;
}

/** Listens for requests. */
export async function listen(
  answer: RequestListener,
  { host, port, graceMs }: ListenOptions,
): Promise<HttpServer> {
  const server = createServer(
    {
      // For receiving a request, not for handling it: against clients that send a byte now and then.
      requestTimeout: 30_000,
      headersTimeout: 10_000,
      // Longer than the minute after which proxies close idle connections: the proxy, not the server, should close them.
      keepAliveTimeout: 75_000,
      maxHeaderSize: 16 * 1024,
    },
    limitPipelining(answer),
  );
  server.listen(port, host);
  await once(server, "listening");
  return { url: formatUrl(server, host), close: () => close(server, graceMs) };
}

async function close(server: Server, graceMs: number): Promise<void> {
  const closed = once(server, "close");
  server.close();
  // A connection whose response was sent is idle, and would be kept open for the next request.
  const idle = setInterval(() => server.closeIdleConnections(), 20);
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(timer);
}

function formatUrl(server: Server, host: string): string {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a listening server has a port");
  const isAnywhere = host === "0.0.0.0" || host === "::";
  const name = isAnywhere ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${address.port}`;
}
