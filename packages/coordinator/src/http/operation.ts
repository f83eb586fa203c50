import type { IncomingMessage, ServerResponse } from "node:http";
import type { Permission } from "@tenterhook/protocol/runs";
import type { z } from "zod";
import type { Identity } from "../access/known-tokens.ts";
import type { ProblemCode } from "../problem.ts";

/** What an operation may answer, by status: JSON of a schema, nothing, or something else that is written by hand. */
export type Answers = Readonly<Record<number, z.ZodType | "nothing" | { readonly mediaType: string }>>;

/** An answer. Its body is checked against the schema when this is compiled, and by the tests, not for every request. */
export type Reply<A extends Answers> = {
  [S in keyof A & number]: A[S] extends z.ZodType
    ? { readonly status: S; readonly body: z.input<A[S]>; readonly headers?: ReplyHeaders }
    : A[S] extends "nothing"
      ? { readonly status: S; readonly headers?: ReplyHeaders }
      : typeof SENT;
}[keyof A & number];

export type ReplyHeaders = Readonly<Record<string, string>>;

/** Says that the answer has been written already, or is being written. */
export const SENT = Symbol("sent");

/** A request that was read and allowed. */
export interface Request<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly identity: Identity;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/**
 * One thing that can be asked of the coordinator. It is data, so that what is checked, what is documented and what is
 * answered cannot differ.
 */
export interface Definition<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  A extends Answers,
> {
  readonly method: "get" | "post" | "put" | "delete";
  /** As in OpenAPI: `/runs/{id}`. */
  readonly path: string;
  readonly permission: Permission | "anyone";
  readonly summary: string;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** Adds to the body what the path contains already. */
  readonly completeBody?: (body: object, params: Readonly<Record<string, string>>) => object;
  /** The code of a body that does not fit. Default: `bad_request`. */
  readonly bodyProblem?: ProblemCode;
  /** Headers that it reads, by their names, with what they are for. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly answers: A;
}

/** An operation as the server sees it: reads, does, answers. */
export interface Operation
  extends Omit<Definition<z.ZodType, z.ZodType, z.ZodType, Answers>, "params" | "query" | "body"> {
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  readonly handle: (request: Request<unknown, unknown, unknown>) => Promise<AnyReply>;
}

export type AnyReply =
  | { readonly status: number; readonly body?: unknown; readonly headers?: ReplyHeaders }
  | typeof SENT;

/** Puts a definition together with what it does. */
export function operation<
  A extends Answers,
  P extends z.ZodType = z.ZodUndefined,
  Q extends z.ZodType = z.ZodUndefined,
  B extends z.ZodType = z.ZodUndefined,
>(
  definition: Definition<P, Q, B, A>,
  handle: (request: Request<z.output<P>, z.output<Q>, z.output<B>>) => Promise<Reply<NoInfer<A>>>,
): Operation {
  return {
    ...definition,
    // The mount gives it what the definition's own schemas made of the request.
    handle: handle as (request: Request<unknown, unknown, unknown>) => Promise<AnyReply>,
  };
}
