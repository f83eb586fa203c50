import type { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { completesWithin } from "@tenterhook/internal";
import type { McpConnection, McpSdk } from "./connection.ts";

/** How long to wait for a server when its session is deleted. */
const GOODBYE_MS = 1_000;

/** A connection over streamable HTTP. Redirects to another origin are not followed, because they would get the headers. */
export function httpConnection(
  sdk: McpSdk,
  address: string,
  headers: Readonly<Record<string, string>>,
): McpConnection {
  const url = new URL(address);
  const transport = new sdk.StreamableHTTPClientTransport(url, { requestInit: { headers } });
  endWithStream(transport, sdk);
  let closing: Promise<void> | undefined;
  return {
    kind: "http",
    transport,
    // A query may contain a key.
    target: url.origin + url.pathname,
    // HTTP has no connection state between requests; the next one may reach a restarted server.
    disconnectReason: undefined,
    get isClosed() {
      return closing !== undefined;
    },
    stderrTail: "",
    close() {
      closing ??= goodbye(transport);
      return closing;
    },
  };
}

/**
 * Rejects a request whose response stream ends without an answer, as after a crash of the server. The SDK would wait for the
 * timeout.
 */
function endWithStream(transport: StreamableHTTPClientTransport, sdk: McpSdk): void {
  const send = transport.send.bind(transport);
  transport.send = (...[message, options]: Parameters<StreamableHTTPClientTransport["send"]>) => {
    if (Array.isArray(message) || !("id" in message) || !("method" in message)) return send(message, options);
    const { id } = message;
    const onRequestStreamEnd = () => {
      options?.onRequestStreamEnd?.();
      // For a request that was answered, this message is dropped.
      const error = { code: sdk.ProtocolErrorCode.InternalError, message: ABORTED_RESPONSE };
      transport.onmessage?.({ jsonrpc: "2.0", id, error });
    };
    return send(message, { ...options, onRequestStreamEnd });
  };
}

/** Distinguishes this client's own error for a broken stream from a server's. */
export const ABORTED_RESPONSE = "the connection broke off before the answer";

async function goodbye(transport: StreamableHTTPClientTransport): Promise<void> {
  // A server without sessions, or one that has stopped, needs no request.
  await completesWithin(
    GOODBYE_MS,
    transport.terminateSession().catch(() => undefined),
  );
  await transport.close();
}
