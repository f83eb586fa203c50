import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Answers a request, now or later. */
export type BareRoute = (body: string, response: ServerResponse) => unknown;

/**
 * The least that an HTTP server of Node does, in a process of its own: no framework, no token, no schema. Routes go by method and
 * the last part of the path. Sends its address to the process that started it.
 */
export async function serveBare(routes: Readonly<Record<string, BareRoute>>): Promise<void> {
  const server = createServer((incoming, outgoing) => void handle(routes, incoming, outgoing));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  process.send?.({ url: `http://127.0.0.1:${port}`, token: "none" });
}

export function reply(outgoing: ServerResponse, body: object): void {
  const text = JSON.stringify(body);
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
  outgoing.writeHead(200, headers).end(text);
}

async function handle(
  routes: Readonly<Record<string, BareRoute>>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const [path = ""] = (incoming.url ?? "").split("?", 1);
  const route = routes[`${incoming.method} ${path.slice(path.lastIndexOf("/") + 1)}`];
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  if (route === undefined) outgoing.writeHead(404).end();
  else route(Buffer.concat(chunks).toString(), outgoing);
}
