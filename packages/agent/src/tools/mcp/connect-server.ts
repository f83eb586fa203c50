import type { Client, ClientOptions, Implementation } from "@modelcontextprotocol/client";
import { LONGEST_TIMER_MS, onAbort } from "@tenterhook/internal";
import { compileSchema } from "@tenterhook/internal/validate";
import { TenterhookError } from "@tenterhook/protocol";
import type { McpConnection } from "./connection.ts";
import { startFailure } from "./failure.ts";
import type { McpSdk } from "./sdk.ts";

/** A server after its handshake. */
export interface ConnectedServer {
  readonly name: string;
  readonly sdk: McpSdk;
  readonly client: Client;
  readonly connection: McpConnection;
}

export interface Introduction {
  readonly sdk: McpSdk;
  readonly clientInfo: Implementation;
  readonly signal: AbortSignal;
}

/** The signal limits the time; the SDK's own timer must not fire earlier. */
export const NO_TIMEOUT_MS = LONGEST_TIMER_MS;

/**
 * Opens a connection and performs the handshake. Rejects with `mcp_failed`, or with the signal's reason when that fires first; in
 * both cases nothing is left open.
 *
 * Revision 2026-07-28 starts without the `initialize` of earlier ones. An HTTP server is asked for its revision. A process is not,
 * because many servers of earlier revisions exit on a request before `initialize`; servers that only support the new revision
 * report that, and are started again.
 */
export async function connectServer(
  name: string,
  open: () => McpConnection,
  introduction: Introduction,
): Promise<ConnectedServer> {
  const connection = open();
  if (connection.kind === "http") return introduce(name, connection, "auto", introduction);
  try {
    return await introduce(name, connection, "legacy", introduction);
  } catch (error) {
    if (!knowsOnlyTheNewRevision(error, introduction.sdk)) throw error;
    return introduce(name, open(), "auto", introduction);
  }
}

/** The client validates a server's answers by the server's own schemas: neither may block the process. */
const CHECKS: NonNullable<ClientOptions["jsonSchemaValidator"]> = {
  getValidator<T>(schema: object) {
    const check = compileSchema(schema, { unsupportedPatterns: "ignore" });
    return (value: unknown) => {
      const violation = check(value, "data");
      return violation === undefined
        ? { valid: true, data: value as T, errorMessage: undefined }
        : { valid: false, data: undefined, errorMessage: violation.text };
    };
  },
};

async function introduce(
  name: string,
  connection: McpConnection,
  mode: "legacy" | "auto",
  { sdk, clientInfo, signal }: Introduction,
): Promise<ConnectedServer> {
  const client = new sdk.Client(clientInfo, { versionNegotiation: { mode }, jsonSchemaValidator: CHECKS });
  // Not every step of the handshake observes a signal, but each one ends with its connection.
  const release = onAbort(signal, () => void connection.close());
  try {
    signal.throwIfAborted();
    await client.connect(connection.transport, { signal, timeout: NO_TIMEOUT_MS });
    return { name, sdk, client, connection };
  } catch (error) {
    await connection.close();
    throw startFailure(name, connection, signal, error);
  } finally {
    release();
  }
}

function knowsOnlyTheNewRevision(error: unknown, { ProtocolError, ProtocolErrorCode }: McpSdk): boolean {
  const cause = TenterhookError.isInstance(error) ? error.cause : undefined;
  if (!ProtocolError.isInstance(cause)) return false;
  const { UnsupportedProtocolVersion, MethodNotFound } = ProtocolErrorCode;
  return cause.code === UnsupportedProtocolVersion || cause.code === MethodNotFound;
}
