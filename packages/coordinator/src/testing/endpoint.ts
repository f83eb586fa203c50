import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** An http server on this machine that hooks can call. */
export class Endpoint {
  readonly url: string;
  /** How many requests have no response yet, and the most there were at a time. */
  open = 0;
  most = 0;
  readonly keys: string[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** A `respond` that does nothing makes it silent. */
  static async open(
    respond: (response: ServerResponse, request: IncomingMessage) => unknown,
  ): Promise<Endpoint> {
    const server = createServer((request, response) => {
      endpoint.open++;
      endpoint.most = Math.max(endpoint.most, endpoint.open);
      endpoint.keys.push(String(request.headers["idempotency-key"]));
      response.once("close", () => endpoint.open--);
      response.setHeader("content-type", "application/json");
      request.resume().once("end", () => respond(response, request));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const endpoint = new Endpoint(server);
    return endpoint;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
