import type { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { McpConnection } from "./connection.ts";
import type { McpSdk } from "./sdk.ts";

/** How long a server has to take note that its session is over. */
const GOODBYE_MS = 1_000;

/** Reaches a server over streamable HTTP. Redirects to another origin are not followed: they would take the headers along. */
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
    // A query may hold a key.
    target: url.origin + url.pathname,
    // There is nothing to notice between two requests, and the next one may reach a server that was restarted.
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
 * Rejects a request whose stream of answers ends without one. The SDK leaves such a request waiting for its timeout,
 * which is how a server looks that dies in mid call.
 */
function endWithStream(transport: StreamableHTTPClientTransport, sdk: McpSdk): void {
  const send = transport.send.bind(transport);
  transport.send = (...[message, options]: Parameters<StreamableHTTPClientTransport["send"]>) => {
    if (Array.isArray(message) || !("id" in message) || !("method" in message)) return send(message, options);
    const { id } = message;
    const onRequestStreamEnd = () => {
      options?.onRequestStreamEnd?.();
      // For a request that was answered this comes too late and is dropped.
      const error = { code: sdk.ProtocolErrorCode.InternalError, message: ABORTED_RESPONSE };
      transport.onmessage?.({ jsonrpc: "2.0", id, error });
    };
    return send(message, { ...options, onRequestStreamEnd });
  };
}

/** Tells our own answer for a broken stream from a server's. */
export const ABORTED_RESPONSE = "the connection disconnectReason off before the answer";

async function goodbye(transport: StreamableHTTPClientTransport): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, GOODBYE_MS);
  });
  // A server without sessions, or one that is gone already, has nothing to be told.
  await Promise.race([transport.terminateSession().catch(() => undefined), patience]);
  clearTimeout(timer);
  await transport.close();
}
