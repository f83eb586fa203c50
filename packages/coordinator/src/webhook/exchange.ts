import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { LookupFunction } from "node:net";
import { connectionFailure } from "./connection-failure.ts";
import { orAborted } from "./or-aborted.ts";
import { readBody } from "./read-body.ts";
import type { HostAddress, Target } from "./target.ts";
import { WebhookFailure } from "./webhook-failure.ts";
import { hostOf } from "./webhook-url.ts";

export interface Outgoing {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface Reply {
  /** Who answered, after all redirects. */
  readonly origin: string;
  readonly status: number;
  readonly location: string | undefined;
  readonly retryAfter: string | undefined;
  /** Of a success; other bodies are not read. */
  readonly body: Buffer;
}

/** Nobody needs more for a verdict, and a receiver must not fill our memory with them. */
const MAX_HEADER_BYTES = 16 * 1024;

/**
 * Sends one request to the addresses that were checked, and reads what comes back. The name stays in Host and in the TLS
 * handshake. The connection is its own, and gone when this returns. Throws a `WebhookFailure`, or the signal's reason.
 */
export async function exchange(
  { url, addresses }: Target,
  { method, headers, body }: Outgoing,
  maxAnswerBytes: number,
  signal: AbortSignal,
): Promise<Reply> {
  signal.throwIfAborted();
  const request = (url.protocol === "https:" ? httpsRequest : httpRequest)({
    host: hostOf(url),
    port: url.port,
    path: url.pathname + url.search,
    method,
    headers: { ...headers, host: url.host, "content-length": body.length },
    agent: false,
    lookup: pinned(addresses),
    maxHeaderSize: MAX_HEADER_BYTES,
  });
  try {
    // Raced, because an aborted request may end like a finished one, or not at all.
    return await orAborted(conversation(request, body, maxAnswerBytes, url.origin), signal);
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof WebhookFailure ? error : connectionFailure(error, url.origin);
  } finally {
    request.destroy();
  }
}

/** A resolver that knows one answer. Node asks it for one address or for all, depending on its version and settings. */
function pinned(addresses: readonly HostAddress[]): LookupFunction {
  return (_host, options, callback) => {
    const [first] = addresses;
    if (options.all) callback(null, [...addresses]);
    else callback(null, first?.address ?? "", first?.family);
  };
}

async function conversation(
  request: ClientRequest,
  body: Buffer,
  maxAnswerBytes: number,
  origin: string,
): Promise<Reply> {
  const response = await responseTo(request, body);
  const { statusCode: status = 0, headers } = response;
  const isSuccess = status >= 200 && status < 300;
  return {
    origin,
    status,
    location: headers.location,
    retryAfter: headers["retry-after"],
    body: isSuccess ? await readBody(response, maxAnswerBytes, origin) : Buffer.alloc(0),
  };
}

function responseTo(request: ClientRequest, body: Buffer): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once("response", resolve);
    // Without a listener Node drops the connection and says nothing.
    request.once("upgrade", (response) => resolve(response));
    // Stays: a connection may also break after its answer has come, when nobody minds any more.
    request.on("error", reject);
    request.end(body);
  });
}
