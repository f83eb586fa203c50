import type { ProblemBody } from "@tenterhook/protocol/runs";
import type { Operations } from "./generated/operations.ts";
import { ProblemError, UnreachableError } from "./problem-error.ts";

export type OperationName = keyof Operations;
export type Answer<O extends OperationName> = Operations[O]["answer"];

/** What an operation takes: its parameters, its query, its body, as far as it has them. */
export type Input<O extends OperationName> = Omit<Operations[O], "answer"> & {
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

/** Asks the coordinator. Throws a `ProblemError` when it refuses, an `UnreachableError` when it does not answer. */
export async function call<O extends OperationName>(
  operation: O,
  ...[input]: InputOf<O>
): Promise<Answer<O>> {
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
  const response = await fetch(addressOf(operation, input), request).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new UnreachableError();
  });
  if (!response.ok) throw await refusal(response);
  // The schemas on the coordinator's side made the types on this one.
  return (response.status === 204 ? undefined : await response.json()) as Answer<O>;
}

/** `/runs/run_1/events?after=3`, of an operation and what goes into its address. */
export function addressOf(operation: OperationName, { params = {}, query = {} }: AnyInput = {}): string {
  const [, path = "/"] = operation.split(" ");
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size === 0 ? filled : `${filled}?${search}`;
}

async function refusal(response: Response): Promise<Error> {
  const body: unknown = await response.json().catch(() => undefined);
  // Something between here and the coordinator may answer, too, and not in its words.
  if (typeof body !== "object" || body === null || !("code" in body)) return new UnreachableError();
  return new ProblemError(body as ProblemBody);
}
