import { Agent, request as requestHttp } from "node:http";
import { request as requestHttps, Agent as SecureAgent } from "node:https";
import { Readable } from "node:stream";
import { isRequestError } from "@tenterhook/client";

/** A kept connection was closed by the other side just when it was reused. */
class StaleConnection extends Error {}

/** Whether a request failed only because its connection was an old one. */
export function isStale(error: unknown): boolean {
  return isRequestError(error) && error.cause instanceof StaleConnection;
}

/** Statuses of responses that have no body. */
const WITHOUT_BODY = new Set([204, 205, 304]);

/**
 * Sends the client's requests over connections that are kept, and closed with this. Node's own `fetch` opens an unused connection when
 * a request is aborted, and a coordinator that closes would wait for it.
 */
export class KeptConnections {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #secureAgent = new SecureAgent({ keepAlive: true });

  close(): void {
    this.#agent.destroy();
    this.#secureAgent.destroy();
  }

  /** As `fetch`, with what the client's requests need. */
  readonly fetch = (
    url: string,
    { method = "GET", headers, body, signal }: RequestInit,
  ): Promise<Response> => {
    const isSecure = url.startsWith("https:");
    const open = isSecure ? requestHttps : requestHttp;
    const text = typeof body === "string" ? body : undefined;
    const options = {
      method,
      headers: {
        ...(headers as Record<string, string>),
        ...(text !== undefined && { "content-length": Buffer.byteLength(text) }),
      },
      agent: isSecure ? this.#secureAgent : this.#agent,
      ...(signal != null && { signal }),
    };
    return new Promise((resolve, reject) => {
      const request = open(url, options, (incoming) => {
        const { statusCode: status = 0 } = incoming;
        const hasBody = !WITHOUT_BODY.has(status);
        if (!hasBody) incoming.resume();
        const retryAfter = incoming.headers["retry-after"];
        try {
          // Both are streams of bytes; only their declarations differ.
          const stream = hasBody ? (Readable.toWeb(incoming) as ReadableStream<Uint8Array>) : null;
          resolve(new Response(stream, { status, headers: retryAfter ? { "retry-after": retryAfter } : {} }));
        } catch (error) {
          // A status that does not exist.
          incoming.destroy();
          reject(error);
        }
      });
      request.on("error", (error: NodeJS.ErrnoException) => {
        const wasKept = request.reusedSocket && error.code === "ECONNRESET" && !signal?.aborted;
        reject(wasKept ? new StaleConnection(error.message, { cause: error }) : error);
      });
      request.end(text);
    });
  };
}
