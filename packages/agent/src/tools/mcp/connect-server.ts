import type { Client, ClientOptions, Implementation } from "@modelcontextprotocol/client";
import { TenterhookError } from "@tenterhook/protocol";
import { LONGEST_TIMER_MS } from "@tenterhook/protocol/support";
import { compileSchema } from "@tenterhook/protocol/validate";
import type { McpConnection } from "./connection.ts";
import { startFailure } from "./failure.ts";
import type { McpSdk } from "./sdk.ts";

/** A server that has introduced itself. */
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

/** The signal says when it was enough; the SDK's own timer must not come before. */
export const NO_TIMEOUT_MS = LONGEST_TIMER_MS;

/**
 * Opens a connection and lets server and client introduce themselves. Rejects with `mcp_failed`, or with the signal's reason
 * when that fires first; either way nothing is left open.
 *
 * Revision 2026-07-28 begins without the `initialize` of those before it. An HTTP server is asked which it speaks. A
 * process is not, because many that know only the old way exit at a question before `initialize`; those that know only
 * the new one say so, and are started again.
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

/** The client checks a server's answers by the server's own schemas: neither may hold the process up. */
const CHECKS: NonNullable<ClientOptions["jsonSchemaValidator"]> = {
  getValidator<T>(schema: object) {
    const check = compileSchema(schema, { unsupportedPatterns: "ignore" });
    return (value: unknown) => {
      const misfit = check(value, "data");
      return misfit === undefined
        ? { valid: true, data: value as T, errorMessage: undefined }
        : { valid: false, data: undefined, errorMessage: misfit.text };
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
  // Not every step of an introduction listens to a signal, but each one ends with its connection.
  const hangUp = () => void connection.close();
  signal.addEventListener("abort", hangUp, { once: true });
  try {
    signal.throwIfAborted();
    await client.connect(connection.transport, { signal, timeout: NO_TIMEOUT_MS });
    return { name, sdk, client, connection };
  } catch (error) {
    await connection.close();
    throw startFailure(name, connection, signal, error);
  } finally {
    signal.removeEventListener("abort", hangUp);
  }
}

function knowsOnlyTheNewRevision(error: unknown, { ProtocolError, ProtocolErrorCode }: McpSdk): boolean {
  const cause = TenterhookError.isInstance(error) ? error.cause : undefined;
  if (!ProtocolError.isInstance(cause)) return false;
  const { UnsupportedProtocolVersion, MethodNotFound } = ProtocolErrorCode;
  return cause.code === UnsupportedProtocolVersion || cause.code === MethodNotFound;
}
