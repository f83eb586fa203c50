import { isInstanceOf, messageOf, readField, shortened } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import type { McpConnection } from "./connection.ts";

/** Enough for the useful part of a web server's error page. */
const MAX_REASON = 500;

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

/** The abort reason when a server did not start in time. */
export class StartTimeout extends Error {
  constructor(timeoutMs: number) {
    super(`it was not ready within ${timeoutMs} ms`);
  }
}

/** The error of a failed start: the signal's reason if it was cancelled, otherwise the server's failure. */
export function startFailure(
  server: string,
  connection: McpConnection,
  signal: AbortSignal,
  error: unknown,
): unknown {
  if (!signal.aborted)
    return TenterhookError.isInstance(error) ? error : mcpFailure(server, connection, error);
  const reason: unknown = signal.reason;
  return reason instanceof StartTimeout ? mcpFailure(server, connection, reason) : reason;
}

const MOST_CAUSES = 20;

/** The messages of an error and its causes: `fetch` has the reason only in the cause. */
function findReason(thrown: unknown): string {
  const parts: string[] = [];
  let each = thrown;
  // Causes may be cyclic.
  for (let left = MOST_CAUSES; left > 0 && each !== undefined && parts.length < 4; left--) {
    const message = messageOf(each).trim().replace(/\.$/, "");
    if (message !== "" && !parts.some((part) => part.includes(message))) parts.push(message);
    each = isInstanceOf(each, Error) ? readField(each, "cause") : undefined;
  }
  return shortened(parts.join(": "), MAX_REASON);
}
