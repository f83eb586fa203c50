import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { isRecord, type JsonLimits } from "@tenterhook/internal";
import type { Context, Hono } from "hono";
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
import { send, sendProblem } from "./send.ts";

export type App = Hono<{ Bindings: HttpBindings }>;

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

/** Adds the route of an operation: it checks host, token and input in this order before the handler is called. */
export function mount(app: App, operation: Operation, gate: Gate): void {
  app.on(operation.method.toUpperCase(), routeOf(operation.path), (context) =>
    answer(context.env, operation.path, gate, async ({ incoming, outgoing }) => {
      const identity =
        operation.permission === "anyone"
          ? ANONYMOUS
          : await authenticate(incoming, gate.tokens, operation.permission);
      const { params, query, body } = operation;
      const reply = await operation.handle({
        params: params === undefined ? undefined : parseInput(params, context.req.param()),
        query: query === undefined ? undefined : parseInput(query, queryOf(context)),
        body: body === undefined ? undefined : await bodyOf(body, operation, context, gate),
        identity,
        incoming,
        outgoing,
      });
      if (reply !== SENT) send(outgoing, reply);
    }),
  );
}

/** A path of OpenAPI as the router reads it: `/runs/:id`. */
export function routeOf(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}

/** Handles a request, and converts every exception into an answer. */
export async function answer(
  { incoming, outgoing }: HttpBindings,
  route: string,
  gate: Gate,
  work: (request: { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse }) => Promise<void>,
): Promise<Response> {
  const since = performance.now();
  try {
    gate.checkHost(incoming);
    await work({ incoming, outgoing });
  } catch (error) {
    refuse(outgoing, error, gate);
  }
  gate.answered(route, incoming.method ?? "", outgoing.statusCode, performance.now() - since);
  return RESPONSE_ALREADY_SENT;
}

/** SQLSTATEs for text with a NUL or half a character in it, which JSON can write and PostgreSQL cannot keep. */
const UNSTORABLE = new Set(["22021", "22P05", "22P02"]);

/** SQLSTATEs for a number, a time or a date beyond what a column can hold. */
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

async function bodyOf(
  schema: z.ZodType,
  { completeBody, bodyProblem }: Operation,
  context: Context<{ Bindings: HttpBindings }>,
  { bodyLimits }: Gate,
): Promise<unknown> {
  const sent = await readBody(context.env.incoming, bodyLimits);
  const whole = completeBody !== undefined && isRecord(sent) ? completeBody(sent, context.req.param()) : sent;
  return parseInput(schema, whole, bodyProblem);
}

function queryOf(context: Context): Record<string, string> {
  return context.req.url.includes("?") ? context.req.query() : {};
}
