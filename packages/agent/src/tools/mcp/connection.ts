import type { Client, StreamableHTTPClientTransport, Transport } from "@modelcontextprotocol/client";
import {
  completesWithin,
  isInstanceOf,
  LONGEST_TIMER_MS,
  messageOf,
  readField,
  shortened,
} from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";

/** The parts of the MCP SDK that are used. */
export type McpSdk = typeof import("@modelcontextprotocol/client") &
  Pick<typeof import("@modelcontextprotocol/client/stdio"), "getDefaultEnvironment">;

/** A connection to one server. */
export interface McpConnection {
  readonly transport: Transport;
  /** The command, or the address without its query, for error messages. */
  readonly target: string;
  /** Why the server disconnected by itself, as the end of the sentence "it …"; `undefined` while it has not. */
  readonly disconnectReason: string | undefined;
  readonly isClosed: boolean;
  /** The end of the server's stderr, if it has one. */
  readonly stderrTail: string;
  /** Closes the connection and ends the process behind it. Never rejects; it may be called more than once. */
  close(): Promise<void>;
}

/** A server after its handshake. */
export interface ConnectedServer {
  readonly name: string;
  readonly sdk: McpSdk;
  readonly client: Client;
  readonly connection: McpConnection;
}

/** A signal limits the time; the SDK's own timer must not fire earlier. */
export const NO_TIMEOUT_MS = LONGEST_TIMER_MS;

/** Enough for the useful part of a web server's error page. */
const MAX_REASON = 500;

/** How many messages of causes it has at most. */
const MAX_CAUSES = 6;

/** Enough to recognise a command line. */
const MAX_TARGET = 200;

/** An error with the server, its command or address, the cause, and the end of its stderr. */
export function mcpFailure(server: string, connection: McpConnection, cause: unknown): TenterhookError {
  const what =
    connection.disconnectReason === undefined ? findReason(cause) : `it ${connection.disconnectReason}`;
  const stderr =
    connection.stderrTail === "" ? "" : `\nThe last lines of its stderr:\n${connection.stderrTail}`;
  const message = `MCP server ${JSON.stringify(server)} (${shortened(connection.target, MAX_TARGET)}): ${what}.${stderr}`;
  return new TenterhookError("mcp_failed", message, { cause });
}

/** The messages of an error and its causes: `fetch` has the reason only in the cause. */
function findReason(thrown: unknown): string {
  const parts: string[] = [];
  let each = thrown;
  // Causes may be cyclic.
  for (let left = MAX_CAUSES; left > 0 && each !== undefined; left--) {
    const message = messageOf(each).trim().replace(/\.$/, "");
    if (!parts.some((part) => part.includes(message))) parts.push(message);
    each = isInstanceOf(each, Error) ? readField(each, "cause") : undefined;
  }
  return shortened(parts.join(": "), MAX_REASON);
}

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
