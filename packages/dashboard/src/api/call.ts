import type { Operations } from "@tenterhook/client";
import type { ProblemBody } from "@tenterhook/protocol/runs";
import { ProblemError, UnreachableError } from "./problem-error.ts";

export type OperationName = keyof Operations;
export type ResponseOf<O extends OperationName> = Operations[O]["response"];

/** The input of an operation: path parameters, query and body, where it has them. */
export type Input<O extends OperationName> = Omit<Operations[O], "response"> & {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
};

type InputOf<O extends OperationName> =
  Record<never, never> extends Input<O> ? [input?: Input<O>] : [input: Input<O>];

interface AnyInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/**
 * Sends a request. Throws a `ProblemError` when the coordinator refuses it, an `UnreachableError` when there is no response.
 */
export async function call<O extends OperationName>(
  operation: O,
  ...[input]: InputOf<O>
): Promise<ResponseOf<O>> {
  const { body, headers, signal }: AnyInput = input ?? {};
  const [method = "GET"] = operation.split(" ");
  const request: RequestInit = {
    method,
    headers: {
      accept: "application/json",
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal !== undefined && { signal }),
  };
  const response = await fetch(urlOf(operation, input), request).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new UnreachableError();
  });
  if (!response.ok) throw await problemOf(response);
  // The types are generated from the coordinator's schemas.
  return (response.status === 204 ? undefined : await response.json()) as ResponseOf<O>;
}

/** The URL of an operation, as `/runs/run_1/events?after=3`. */
export function urlOf(operation: OperationName, { params = {}, query = {} }: AnyInput = {}): string {
  const [, path = "/"] = operation.split(" ");
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size === 0 ? filled : `${filled}?${search}`;
}

async function problemOf(response: Response): Promise<Error> {
  const body: unknown = await response.json().catch(() => undefined);
  // A proxy may answer instead of the coordinator, in another format.
  if (typeof body !== "object" || body === null || !("code" in body)) return new UnreachableError();
  return new ProblemError(body as ProblemBody);
}
