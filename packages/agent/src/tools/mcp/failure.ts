import { messageOf, TenterhookError } from "@tenterhook/protocol";
import type { Link } from "./link.ts";

/** An error page of a web server says nothing after this. */
const LONGEST_REASON = 500;

/** A command line is recognised by its beginning. */
const LONGEST_TRIED = 200;

/** Says which server is to blame, what was tried, what happened, and what the server wrote about it. */
export function mcpFailure(server: string, link: Link, cause: unknown): TenterhookError {
  const what = link.broke === undefined ? reasonOf(cause) : `it ${link.broke}`;
  const words = link.lastWords === "" ? "" : `\nThe last lines of its stderr:\n${link.lastWords}`;
  const message = `MCP server ${JSON.stringify(server)} (${shorten(link.tried, LONGEST_TRIED)}): ${what}.${words}`;
  return new TenterhookError("mcp_failed", message, { cause });
}

/** Why a server's start was given up, as the reason of a signal. */
export class StartTimeout extends Error {
  constructor(timeoutMs: number) {
    super(`it was not ready within ${timeoutMs} ms`);
  }
}

/** What a start that went wrong rejects with: the signal's reason when somebody cancelled it, else the server's failure. */
export function startFailure(server: string, link: Link, signal: AbortSignal, error: unknown): unknown {
  if (!signal.aborted) return TenterhookError.isInstance(error) ? error : mcpFailure(server, link, error);
  const reason: unknown = signal.reason;
  return reason instanceof StartTimeout ? mcpFailure(server, link, reason) : reason;
}

/** An error's message and its causes': `fetch` says only that it failed, and keeps the reason behind it. */
function reasonOf(thrown: unknown): string {
  const parts: string[] = [];
  for (let each = thrown; each !== undefined && parts.length < 4; ) {
    const message = messageOf(each).trim().replace(/\.$/, "");
    if (message !== "" && !parts.some((part) => part.includes(message))) parts.push(message);
    each = each instanceof Error ? each.cause : undefined;
  }
  return shorten(parts.join(": "), LONGEST_REASON);
}

/** Cuts a text, never through a character, and shows that it did. */
export function shorten(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
