import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/**
 * Network faults: the request arrives twice; its response is lost; only half of its body arrives; it arrives late.
 */
export const PROXY_FAULTS = ["twice", "unanswered", "cut", "late"] as const;
export type ProxyFault = (typeof PROXY_FAULTS)[number];

const LATE_MS = 300;

/** A proxy between a coordinator and its clients and runners. */
export class FaultProxy {
  readonly url: string;
  readonly #server: Server;
  readonly #target: () => string;
  #fault: ProxyFault = "late";
  #left = 0;

  private constructor(server: Server, target: () => string) {
    this.#server = server;
    this.#target = target;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** `target` is called for every request. */
  static async start(target: () => string): Promise<FaultProxy> {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const proxy = new FaultProxy(server, target);
    server.on("request", (incoming, outgoing) => void proxy.#pass(incoming, outgoing));
    return proxy;
  }

  /** Disturbs the next requests, except event streams. */
  disturb(fault: ProxyFault, requests: number): void {
    this.#fault = fault;
    this.#left = requests;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await buffer(incoming).catch(() => undefined);
    if (body === undefined) return;
    const isStream = incoming.url?.startsWith("/events") ?? false;
    const fault = !isStream && this.#left > 0 ? this.#fault : undefined;
    if (fault !== undefined) this.#left -= 1;
    if (fault === "late") await new Promise((resolve) => setTimeout(resolve, LATE_MS));
    if (fault === "twice") this.#forward(incoming, body, body.length, undefined);
    const sent = fault === "cut" ? Math.floor(body.length / 2) : body.length;
    this.#forward(incoming, body, sent, outgoing, fault === "unanswered");
  }

  /** Forwards a request or its beginning, and the response unless it is dropped or the client is gone. */
  #forward(
    { method, url = "/", headers }: IncomingMessage,
    body: Buffer,
    sent: number,
    outgoing: ServerResponse | undefined,
    isDropped = false,
  ): void {
    const target = new URL(url, this.#target());
    const { "transfer-encoding": _, ...rest } = headers;
    const upstream = request(target, {
      method,
      headers: { ...rest, host: target.host, "content-length": body.length },
      agent: false,
    });
    const drop = () => {
      upstream.destroy();
      outgoing?.destroy();
    };
    upstream.on("error", drop);
    upstream.on("response", (answer) => {
      answer.on("error", drop);
      if (outgoing === undefined) {
        answer.resume();
        return;
      }
      if (isDropped) {
        drop();
        return;
      }
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      outgoing.flushHeaders();
      answer.pipe(outgoing);
    });
    // The client has closed the connection.
    outgoing?.on("close", () => upstream.destroy());
    upstream.write(body.subarray(0, sent));
    if (sent === body.length) upstream.end();
    // The beginning must be sent before the connection is cut.
    else upstream.once("socket", (socket) => socket.once("connect", () => setImmediate(drop)));
  }
}
