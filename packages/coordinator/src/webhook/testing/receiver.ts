import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** A webhook as it arrived. */
export interface Received {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly rawBody: Buffer;
}

/** What a receiver does about one request. */
export type Reaction = (response: ServerResponse, received: Received) => void;

export interface Receiver {
  readonly port: number;
  /** `http://127.0.0.1:port`, without a slash at its end. */
  readonly origin: string;
  /** What arrived, oldest first. */
  readonly received: readonly Received[];
  /** How many connections there were. */
  readonly connections: number;
  /** Resolves when every connection is closed, from whichever side. */
  hungUp(): Promise<void>;
  /** Ends every connection and the server. */
  close(): Promise<void>;
}

/** A receiver of webhooks on loopback. It reacts to each request with the next reaction, and at last always with the last. */
export async function receiver(...reactions: readonly Reaction[]): Promise<Receiver> {
  const received: Received[] = [];
  const closings: Promise<unknown>[] = [];
  const server = createServer(async (request, response) => {
    const { method, url: path, headers } = request;
    const rawBody = await buffer(request).catch(() => undefined);
    // A client that disconnects halfway has sent no webhook.
    if (rawBody === undefined) return;
    const one = { method, path, headers, rawBody };
    const react = reactions[Math.min(received.length, reactions.length - 1)];
    received.push(one);
    react?.(response, one);
  });
  server.on("connection", (socket) => {
    closings.push(new Promise((resolve) => socket.once("close", resolve)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    received,
    get connections() {
      return closings.length;
    },
    async hungUp() {
      await Promise.all(closings);
    },
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Answers with a status, and with a value as JSON. */
export function answers(status: number, value?: unknown, headers: OutgoingHttpHeaders = {}): Reaction {
  return (response) => {
    response.writeHead(status, headers);
    response.end(value === undefined ? undefined : JSON.stringify(value));
  };
}

/** Answers with these bytes and nothing around them. */
export function writes(...bytes: readonly string[]): Reaction {
  return ({ socket }) => {
    for (const each of bytes) socket?.write(each);
  };
}

/** Breaks the connection, rudely. */
export const resets: Reaction = ({ socket }) => {
  socket?.resetAndDestroy();
};

/** Keeps the connection and does not answer. */
export const keepsSilent: Reaction = () => undefined;
