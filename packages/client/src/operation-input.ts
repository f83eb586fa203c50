import { TenterhookError } from "@tenterhook/internal";
import type { Operations } from "./generated/operations.ts";

/** The name of an operation, as `GET /runs/{id}`. */
export type OperationName = keyof Operations;

/** What an operation answers with. */
export type ResponseOf<O extends OperationName> = Operations[O]["response"];

/** What every request takes. */
export interface RequestOptions {
  /** Ends the request, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** How long one attempt may take, in milliseconds. Default: the client's. */
  readonly timeoutMs?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** The input of an operation: path parameters, query, body and idempotency key, where it has them. */
export type Input<O extends OperationName> = Omit<Operations[O], "response"> & RequestOptions;

/** The input as arguments: none is needed for an operation that needs none. */
export type InputArguments<O extends OperationName> =
  Record<never, never> extends Input<O> ? [input?: Input<O>] : [input: Input<O>];

/** The query of an operation. */
export type Query<O extends OperationName> = Operations[O] extends { readonly query?: infer Q }
  ? NonNullable<Q>
  : never;

/** The body of an operation. */
export type Body<O extends OperationName> = Operations[O] extends { readonly body: infer B } ? B : never;

/** The input of any operation. */
export interface AnyInput extends RequestOptions {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  readonly body?: unknown;
  readonly idempotencyKey?: string | undefined;
}

/**
 * The path of an operation with its parameters and query, as `/runs/run_1/events?after=3`. Throws `bad_client` for a parameter that
 * would make it the path of another operation.
 */
export function formatPath(operation: OperationName, { params = {}, query = {} }: AnyInput = {}): string {
  const path = operation.slice(operation.indexOf(" ") + 1);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => formatId(name, params[name] ?? ""));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size === 0 ? filled : `${filled}?${search}`;
}

/** URLs drop empty parts of a path, and resolve one dot or two. */
function formatId(name: string, value: string): string {
  if (!["", ".", ".."].includes(value)) return encodeURIComponent(value);
  throw new TenterhookError("bad_client", `${name} is "${value}", which is not an id or a name.`);
}
