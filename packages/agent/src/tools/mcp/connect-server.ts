import type { Client, ClientOptions, Implementation } from "@modelcontextprotocol/client";
import { TenterhookError } from "@tenterhook/protocol";
import { LONGEST_TIMER_MS } from "@tenterhook/protocol/support";
import { compileSchema } from "@tenterhook/protocol/validate";
import { startFailure } from "./failure.ts";
import type { Link } from "./link.ts";
import type { McpSdk } from "./sdk.ts";

/** A server that has introduced itself. */
export interface ConnectedServer {
  readonly name: string;
  readonly sdk: McpSdk;
  readonly client: Client;
  readonly link: Link;
}

export interface Introduction {
  readonly sdk: McpSdk;
  readonly clientInfo: Implementation;
  readonly signal: AbortSignal;
}

/** The signal says when it was enough; the SDK's own timer must not come before. */
export const NO_TIMEOUT_MS = LONGEST_TIMER_MS;

/**
 * Opens a link and lets server and client introduce themselves. Rejects with `mcp_failed`, or with the signal's reason
 * when that fires first; either way nothing is left open.
 *
 * Revision 2026-07-28 begins without the `initialize` of those before it. An HTTP server is asked which it speaks. A
 * process is not, because many that know only the old way exit at a question before `initialize`; those that know only
 * the new one say so, and are started again.
 */
export async function connectServer(
  name: string,
  open: () => Link,
  introduction: Introduction,
): Promise<ConnectedServer> {
  const link = open();
  if (link.kind === "http") return introduce(name, link, "auto", introduction);
  try {
    return await introduce(name, link, "legacy", introduction);
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
  link: Link,
  mode: "legacy" | "auto",
  { sdk, clientInfo, signal }: Introduction,
): Promise<ConnectedServer> {
  const client = new sdk.Client(clientInfo, { versionNegotiation: { mode }, jsonSchemaValidator: CHECKS });
  // Not every step of an introduction listens to a signal, but each one ends with its link.
  const hangUp = () => void link.close();
  signal.addEventListener("abort", hangUp, { once: true });
  try {
    signal.throwIfAborted();
    await client.connect(link.transport, { signal, timeout: NO_TIMEOUT_MS });
    return { name, sdk, client, link };
  } catch (error) {
    await link.close();
    throw startFailure(name, link, signal, error);
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
