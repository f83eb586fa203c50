import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface DoubleRequest {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly token: string | undefined;
  /** Aborted when the client has disconnected. */
  readonly gone: AbortSignal;
}

export interface DoubleResponse {
  readonly status: number;
  readonly body?: object;
}

/** A refusal in the coordinator's format. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string) {
    super(`refused: ${code}`);
    this.status = status;
    this.code = code;
  }
}

/** A fault instead of the answer: disconnect before or after the request is handled, refuse with a status, or handle it and wait. */
export type Interception = (
  request: DoubleRequest,
) => "before" | "after" | number | Promise<unknown> | undefined;

/** The HTTP side of the coordinator's double. */
export class DoubleServer {
  intercept: Interception = () => undefined;
  readonly #answer: (request: DoubleRequest) => Promise<DoubleResponse>;
  readonly #watchers = new Set<() => void>();
  readonly #server: Server;
  #isAway = true;

  constructor(answer: (request: DoubleRequest) => Promise<DoubleResponse>) {
    this.#answer = answer;
    this.#server = createServer((request, response) => void this.#handle(request, response));
    this.#server.on("connection", (socket) => this.#isAway && socket.resetAndDestroy());
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async open(): Promise<void> {
    this.#isAway = false;
    if (this.#server.listening) return;
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
  }

  /** Breaks every connection, and every new one. The port is kept, so that it is free when it is opened again. */
  disconnect(): void {
    this.#isAway = true;
    this.#server.closeAllConnections();
  }

  async close(): Promise<void> {
    this.disconnect();
    const closed = once(this.#server, "close");
    this.#server.close();
    await closed;
  }

  async until<T>(find: () => T | undefined | false): Promise<T> {
    for (;;) {
      const found = find();
      if (found !== undefined && found !== false) return found;
      await new Promise<void>((resolve) => this.#watchers.add(resolve));
    }
  }

  async #handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const { pathname: path, searchParams: query } = new URL(incoming.url ?? "/", this.url);
    // A client that disconnects in the middle of a request has not made it.
    const sent = await text(incoming).catch(() => undefined);
    if (sent === undefined || gone.signal.aborted) return;
    const request: DoubleRequest = {
      path,
      query,
      body: sent === "" ? undefined : JSON.parse(sent),
      token: /^Bearer (.+)$/.exec(incoming.headers.authorization ?? "")?.[1],
      gone: gone.signal,
    };
    const instead = this.intercept(request);
    if (instead === "before") incoming.socket.destroy();
    else if (typeof instead === "number") refuse(response, new Refused(instead, "by_the_test"));
    else {
      try {
        const answering = this.#answer(request);
        this.#changed();
        const { status, body } = await answering;
        this.#changed();
        if (typeof instead === "object") await instead;
        if (instead === "after") incoming.socket.destroy();
        else {
          const headers = { "content-type": "application/json" };
          response.writeHead(status, headers).end(body && JSON.stringify(body));
        }
      } catch (error) {
        refuse(response, error instanceof Refused ? error : new Refused(500, String(error)));
      }
    }
    this.#changed();
  }

  #changed(): void {
    const watchers = [...this.#watchers];
    this.#watchers.clear();
    for (const wake of watchers) wake();
  }
}

function refuse(response: ServerResponse, { status, code, message }: Refused): void {
  const body = JSON.stringify({
    type: `urn:tenterhook:problem:${code}`,
    title: code,
    status,
    code,
    detail: message,
  });
  response.writeHead(status, { "content-type": "application/problem+json" }).end(body);
}
