import type { ServerResponse } from "node:http";
import type { ProblemBody } from "@tenterhook/protocol/runs";
import type { Problem } from "../problem.ts";
import type { AnyResponse, ResponseHeaders } from "./operation.ts";

/**
 * Responses are written to Node's response directly. A `Response` in between would cost more than the rest of a small
 * request, and to avoid that the adapter would have to replace the `Response` of the whole process.
 */
export function send(outgoing: ServerResponse, response: Exclude<AnyResponse, symbol>): void {
  if (outgoing.destroyed || outgoing.headersSent) return;
  const { status, body, headers } = response;
  if (body === undefined) {
    outgoing.writeHead(status, [...NEVER_KEPT, ...flat(headers)]).end();
    return;
  }
  sendText(outgoing, status, JSON.stringify(body), { "content-type": "application/json", ...headers });
}

/** Sends a refusal. */
export function sendProblem(outgoing: ServerResponse, problem: Problem, errorId?: string): void {
  if (outgoing.destroyed || outgoing.headersSent) return;
  sendText(outgoing, problem.status, JSON.stringify(problemBody(problem, errorId)), {
    "content-type": "application/problem+json",
    ...HEADERS_OF[problem.code],
  });
}

/** The body of a refusal, by RFC 9457. */
export function problemBody(problem: Problem, errorId?: string): ProblemBody {
  const { code, field, hint, status, title, message } = problem;
  return {
    type: `urn:tenterhook:problem:${code}`,
    title,
    status,
    code,
    detail: message,
    ...(field !== undefined && { field }),
    ...(hint !== undefined && { hint }),
    ...(errorId !== undefined && { error_id: errorId }),
  };
}

const HEADERS_OF: { readonly [code in Problem["code"]]?: ResponseHeaders } = {
  unauthenticated: { "www-authenticate": 'Bearer realm="tenterhook"' },
  // The rest of the body is not read.
  too_large: { connection: "close" },
  // Requests that were sent after it on the same connection are not read.
  too_many_requests: { "retry-after": "1", connection: "close" },
  unavailable: { "retry-after": "1" },
  schema_changed: { "retry-after": "5" },
  no_writes: { "retry-after": "1" },
  insufficient_storage: { "retry-after": "1" },
};

// Alternating names and values, which Node writes as they are; it would have to convert and check an object.
const NEVER_KEPT = ["cache-control", "no-store", "x-content-type-options", "nosniff"] as const;

function flat(headers: ResponseHeaders = {}): string[] {
  const flat: string[] = [];
  for (const name in headers) flat.push(name, headers[name] ?? "");
  return flat;
}

function sendText(outgoing: ServerResponse, status: number, text: string, headers: ResponseHeaders): void {
  outgoing
    .writeHead(status, [...NEVER_KEPT, "content-length", String(Buffer.byteLength(text)), ...flat(headers)])
    .end(text);
}
