import { messageOf, TenterhookError } from "@tenterhook/protocol";
import type { McpConnection } from "./connection.ts";

/** An error page of a web server says nothing after this. */
const MAX_REASON = 500;

/** A command line is recognised by its beginning. */
const MAX_TARGET = 200;

/** Says which server is to blame, what was target, what happened, and what the server wrote about it. */
export function mcpFailure(server: string, connection: McpConnection, cause: unknown): TenterhookError {
  const what =
    connection.disconnectReason === undefined ? reasonOf(cause) : `it ${connection.disconnectReason}`;
  const words =
    connection.stderrTail === "" ? "" : `\nThe last lines of its stderr:\n${connection.stderrTail}`;
  const message = `MCP server ${JSON.stringify(server)} (${shorten(connection.target, MAX_TARGET)}): ${what}.${words}`;
  return new TenterhookError("mcp_failed", message, { cause });
}

/** Why a server's start was given up, as the reason of a signal. */
export class StartTimeout extends Error {
  constructor(timeoutMs: number) {
    super(`it was not ready within ${timeoutMs} ms`);
  }
}

/** What a start that went wrong rejects with: the signal's reason when somebody cancelled it, else the server's failure. */
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

/** An error's message and its causes': `fetch` says only that it failed, and keeps the reason behind it. */
function reasonOf(thrown: unknown): string {
  const parts: string[] = [];
  for (let each = thrown; each !== undefined && parts.length < 4; ) {
    const message = messageOf(each).trim().replace(/\.$/, "");
    if (message !== "" && !parts.some((part) => part.includes(message))) parts.push(message);
    each = each instanceof Error ? each.cause : undefined;
  }
  return shorten(parts.join(": "), MAX_REASON);
}

/** Cuts a text, never through a character, and shows that it did. */
export function shorten(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
