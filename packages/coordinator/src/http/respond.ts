import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isRecord, type JsonLimits } from "@tenterhook/internal";
import type { z } from "zod";
import type { AnonymousLimit } from "../access/anonymous-limit.ts";
import { authenticate } from "../access/authenticate.ts";
import type { HostCheck } from "../access/host.ts";
import type { Identity, KnownTokens } from "../access/known-tokens.ts";
import { isDiskFull, isOtherSchema, isUnavailable, SqlError, takesNoWrites } from "../database/sql-error.ts";
import { Problem } from "../problem.ts";
import { type Operation, SENT } from "./operation.ts";
import { parseInput } from "./parse-input.ts";
import { readBody } from "./read-body.ts";
import { readParameters, type Target } from "./router.ts";
import { send, sendProblem } from "./send.ts";

/** A request, and where its response goes. */
export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** The checks and reports of every request. */
export interface Gate {
  readonly tokens: KnownTokens;
  readonly anonymous: AnonymousLimit;
  readonly checkHost: HostCheck;
  readonly bodyLimits: JsonLimits;
  /** Called after every answer. */
  readonly answered: (route: string, method: string, status: number, ms: number) => void;
  /** Called with unexpected errors. */
  readonly report: (error: unknown, errorId: string) => void;
}

const ANONYMOUS: Identity = {
  tokenId: "",
  name: "anonymous",
  scope: "viewer",
  via: "bearer",
  binding: { runner_name: null, runner_tags: null },
  lineage: [],
};

/** Executes an operation: checks token and input, in this order, before its handler is called. */
export async function execute(
  operation: Operation,
  target: Target,
  { incoming, outgoing }: Exchange,
  gate: Gate,
): Promise<void> {
  const { params, query, body, permission } = operation;
  const identity =
    permission === "anyone" ? ANONYMOUS : await authenticate(incoming, gate.tokens, permission);
  const parameters = readParameters(operation, target);
  const reply = await operation.handle({
    params: params === undefined ? undefined : parseInput(params, parameters),
    query: query === undefined ? undefined : parseInput(query, target.query),
    body: body === undefined ? undefined : await readInput(body, operation, parameters, incoming, gate),
    identity,
    incoming,
    outgoing,
  });
  if (reply !== SENT) send(outgoing, reply);
}

/** Handles a request, and converts every exception into a response. */
export async function respond(
  { incoming, outgoing }: Exchange,
  route: string,
  gate: Gate,
  handle: () => void | Promise<void>,
): Promise<void> {
  const since = performance.now();
  try {
    gate.checkHost(incoming);
    await handle();
  } catch (error) {
    refuse(outgoing, error, gate);
  }
  gate.answered(route, incoming.method ?? "", outgoing.statusCode, performance.now() - since);
}

/** SQLSTATEs for text with a NUL or half a character in it, which JSON can write and PostgreSQL cannot keep. */
const UNSTORABLE = new Set(["22021", "22P05", "22P02"]);

/** SQLSTATEs for a number, a time or a date beyond the range of a column. */
const OUT_OF_RANGE = new Set(["22003", "22007", "22008", "22009"]);

function refuse(outgoing: ServerResponse, error: unknown, gate: Gate): void {
  const expected = expectedProblem(error);
  if (expected !== undefined) {
    sendProblem(outgoing, expected);
    return;
  }
  const errorId = randomUUID();
  gate.report(error, errorId);
  // The error is for the log only: it may contain data that the client must not see.
  sendProblem(outgoing, new Problem("internal", "something went wrong here; the log says what"), errorId);
}

/** The problem that an error stands for; `undefined` for a defect. */
export function expectedProblem(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error;
  if (isDiskFull(error)) {
    return new Problem("insufficient_storage", "the disk of the database is full", {
      hint: "Make room on it; the coordinator continues by itself.",
    });
  }
  if (isOtherSchema(error)) return new Problem("schema_changed", error.message);
  if (takesNoWrites(error)) {
    const what = error instanceof SqlError ? "takes no writes at present" : "is away";
    return new Problem("no_writes", `the database ${what}`, {
      hint: "Repeat the request. Nothing is lost meanwhile: no lease expires.",
    });
  }
  if (isUnavailable(error)) {
    const what = error instanceof SqlError ? "did not execute it in time" : "cannot be reached";
    return new Problem("unavailable", `the database ${what}`, { hint: "Repeat the request." });
  }
  if (error instanceof SqlError && UNSTORABLE.has(error.code)) {
    return new Problem("bad_request", "it has a character that cannot be stored", {
      hint: "Leave out U+0000, and halves of surrogate pairs.",
    });
  }
  if (error instanceof SqlError && OUT_OF_RANGE.has(error.code)) {
    return new Problem("bad_request", "it has a number or a time that cannot be stored", {
      hint: "Send numbers below 2000000000, and times of the years 1 to 9999.",
    });
  }
  return undefined;
}

async function readInput(
  schema: z.ZodType,
  { completeBody, readBody: read, bodyProblem }: Operation,
  parameters: Readonly<Record<string, string>>,
  incoming: IncomingMessage,
  { bodyLimits }: Gate,
): Promise<unknown> {
  const sent = await readBody(incoming, bodyLimits);
  const whole = completeBody !== undefined && isRecord(sent) ? completeBody(sent, parameters) : sent;
  return read === undefined ? parseInput(schema, whole, bodyProblem) : read(whole);
}
