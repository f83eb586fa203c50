import type { IncomingMessage, ServerResponse } from "node:http";
import type { Permission } from "@tenterhook/protocol/runs";
import type { z } from "zod";
import type { Identity } from "../access/known-tokens.ts";
import type { ProblemCode } from "../problem.ts";

/** The possible responses of an operation, by status: JSON of a schema, nothing, or another media type that it writes itself. */
export type Responses = Readonly<Record<number, z.ZodType | "nothing" | { readonly mediaType: string }>>;

/** A response. Its body is checked against the schema when this is compiled, and by the tests, not for every request. */
export type OperationResponse<A extends Responses> = {
  [S in keyof A & number]: A[S] extends z.ZodType
    ? { readonly status: S; readonly body: z.input<A[S]>; readonly headers?: ResponseHeaders }
    : A[S] extends "nothing"
      ? { readonly status: S; readonly headers?: ResponseHeaders }
      : typeof SENT;
}[keyof A & number];

export type ResponseHeaders = Readonly<Record<string, string>>;

/** The response has been written already, or is being written. */
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
 * An operation of the coordinator's API. It is data, so that the checks, the documentation and the responses cannot
 * differ.
 */
export interface Definition<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  A extends Responses,
  R = z.output<B>,
> {
  readonly permission: Permission | "anyone";
  readonly summary: string;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** Adds fields to the body that are part of the path. */
  readonly completeBody?: (body: object, params: Readonly<Record<string, string>>) => object;
  /** Reads the body, which the schema describes. Default: what does not fit the schema is refused. */
  readonly readBody?: (sent: unknown) => R;
  /** The code of a body that does not fit. Default: `bad_request`. */
  readonly bodyProblem?: ProblemCode;
  /** Headers that it reads, by their names, with what they are for. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly responses: A;
}

/** A definition with its handler. */
export interface Operation
  extends Omit<Definition<z.ZodType, z.ZodType, z.ZodType, Responses>, "params" | "query" | "body"> {
  readonly method: Lowercase<Method>;
  /** As in OpenAPI: `/runs/{id}`. */
  readonly path: string;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  readonly handle: (request: Request<unknown, unknown, unknown>) => Promise<AnyResponse>;
}

export type AnyResponse =
  | { readonly status: number; readonly body?: unknown; readonly headers?: ResponseHeaders }
  | typeof SENT;

type Method = "GET" | "POST" | "PUT" | "DELETE";

/** Combines a definition and its handler. The name is that of the API's document and of the client: `GET /runs/{id}`. */
export function operation<
  A extends Responses,
  P extends z.ZodType = z.ZodUndefined,
  Q extends z.ZodType = z.ZodUndefined,
  B extends z.ZodType = z.ZodUndefined,
  R = z.output<B>,
>(
  name: `${Method} /${string}`,
  definition: Definition<P, Q, B, A, R>,
  handle: (request: Request<z.output<P>, z.output<Q>, NoInfer<R>>) => Promise<OperationResponse<NoInfer<A>>>,
): Operation {
  const [method, path = ""] = name.split(" ");
  return {
    ...definition,
    method: method?.toLowerCase() as Lowercase<Method>,
    path,
    // `execute` calls it with the output of the definition's own schemas.
    handle: handle as (request: Request<unknown, unknown, unknown>) => Promise<AnyResponse>,
  };
}
