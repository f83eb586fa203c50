import {
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from "node:http";
import { request as httpsRequest } from "node:https";
import type { LookupFunction, TcpNetConnectOpts } from "node:net";
import { orAborted } from "@tenterhook/internal";
import { connectionFailure } from "./connection-failure.ts";
import type { HostAddress, Target } from "./target.ts";
import { WebhookFailure } from "./webhook-failure.ts";
import { hostOf } from "./webhook-url.ts";

export interface Outgoing {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface WebhookResponse {
  /** The origin that answered, after all redirects. */
  readonly origin: string;
  readonly status: number;
  readonly location: string | undefined;
  readonly retryAfter: string | undefined;
  /** The body of a success, if it is needed; others are not read. */
  readonly body: Buffer;
}

/** A response needs no more, and a receiver must not fill the memory. */
const MAX_HEADER_BYTES = 16 * 1024;

/** When the next address is tried. Node's quarter of a second is too short for distant hosts. */
const NEXT_ADDRESS_MS = 2_000;

/**
 * Sends one request to the addresses that were checked, and reads the response. The host's name is used in Host and in the TLS
 * handshake. The connection is closed when this returns. Throws a `WebhookFailure`, or the signal's reason.
 */
export async function exchange(
  { url, addresses }: Target,
  { method, headers, body }: Outgoing,
  maxResponseBytes: number | undefined,
  signal: AbortSignal,
): Promise<WebhookResponse> {
  signal.throwIfAborted();
  const options: RequestOptions & Pick<TcpNetConnectOpts, "autoSelectFamilyAttemptTimeout"> = {
    host: hostOf(url),
    port: url.port,
    path: url.pathname + url.search,
    method,
    headers: { ...headers, host: url.host, "content-length": body.length },
    agent: false,
    lookup: pinned(addresses),
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
  };
  const request = url.protocol === "https:" ? httpsRequest(options) : httpRequest(options);
  try {
    // Raced, because an aborted request may end like a finished one, or not at all.
    return await orAborted(conversation(request, body, maxResponseBytes, url.origin), signal);
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
  maxResponseBytes: number | undefined,
  origin: string,
): Promise<WebhookResponse> {
  const response = await responseTo(request, body);
  const { statusCode: status = 0, headers } = response;
  const isRead = status >= 200 && status < 300 && maxResponseBytes !== undefined;
  return {
    origin,
    status,
    location: headers.location,
    retryAfter: headers["retry-after"],
    body: isRead ? await readBody(response, maxResponseBytes, origin) : Buffer.alloc(0),
  };
}

function responseTo(request: ClientRequest, body: Buffer): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once("response", resolve);
    // No other protocol was requested. The socket no longer belongs to the request then, and would outlive it.
    request.once("upgrade", (response, socket) => {
      socket.destroy();
      resolve(response);
    });
    // Stays: a connection may also break after its response has come, which is not a failure.
    request.on("error", reject);
    request.end(body);
  });
}

const FIRST_BYTES = 16 * 1024;

/** Reads the body of a response, and no further than the limit. A compressed body is refused: it was not requested. */
async function readBody(response: IncomingMessage, maxBytes: number, origin: string): Promise<Buffer> {
  const { statusCode: status, headers } = response;
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding !== "identity") {
    throw new WebhookFailure("bad_response", `${origin} answered with a compressed body.`, { status });
  }
  const tooLarge = () =>
    new WebhookFailure("response_too_large", `${origin} answered with more than ${maxBytes} bytes.`, {
      status,
    });
  if (Number(headers["content-length"] ?? 0) > maxBytes) throw tooLarge();
  // One buffer that grows: a million chunks of a byte each, kept as they come, would take a hundred times their size.
  let body = Buffer.alloc(Math.min(FIRST_BYTES, maxBytes));
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    const needed = length + chunk.length;
    if (needed > maxBytes) throw tooLarge();
    if (needed > body.length) body = grown(body, Math.min(maxBytes, Math.max(needed, 2 * body.length)));
    chunk.copy(body, length);
    length = needed;
  }
  return body.subarray(0, length);
}

function grown(body: Buffer, size: number): Buffer<ArrayBuffer> {
  const larger = Buffer.alloc(size);
  body.copy(larger);
  return larger;
}
