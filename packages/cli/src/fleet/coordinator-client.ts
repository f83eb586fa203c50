import { messageOf } from "@tenterhook/protocol";
import type { ProblemBody } from "@tenterhook/protocol/runs";
import { UsageError } from "../usage-error.ts";
import type { Access } from "./access.ts";
import { suggestName } from "./suggest-name.ts";

interface RequestOptions {
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** Talks to a coordinator. Everything that it refuses is a `UsageError`: what is wrong, where, and what to do. */
export class CoordinatorClient {
  readonly #access: Access;

  constructor(access: Access) {
    this.#access = access;
  }

  get url(): string {
    return this.#access.url;
  }

  /** The JSON of an answer; nothing when the answer is empty. The caller knows the type by the path. */
  async send<T>(
    method: "GET" | "POST" | "PUT" | "DELETE",
    path: string,
    sent: RequestOptions = {},
  ): Promise<T> {
    const response = await this.request(method, path, sent);
    const text = await response.text();
    return (text === "" ? undefined : JSON.parse(text)) as T;
  }

  get<T>(path: string, query: RequestOptions["query"] = {}): Promise<T> {
    return this.send<T>("GET", path, { query });
  }

  /** An answer as it comes, once it is known to be one. */
  async request(
    method: string,
    path: string,
    { query = {}, headers, body, signal }: RequestOptions = {},
  ): Promise<Response> {
    const url = new URL(`${this.#access.url}${path}`);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const response = await this.#fetch(url, { method, headers, body, signal });
    if (response.ok) return response;
    const problem = readProblem(await response.text());
    const meant =
      problem &&
      (await suggestName(problem.detail, (list) =>
        this.#fetch(new URL(`${this.#access.url}${list}`), { method: "GET" }),
      ));
    throw refusal(response.status, problem, url, meant);
  }

  #fetch(
    url: URL,
    { method, headers, body, signal }: Omit<RequestOptions, "query"> & { readonly method: string },
  ): Promise<Response> {
    return fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${this.#access.token}`,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      // A redirection would take the token along.
      redirect: "error",
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
    }).catch((error: unknown) => {
      if (signal?.aborted) throw error;
      throw unreachable(this.#access.url, error);
    });
  }
}

/** The answer could not be had at all; whoever waits may try again. */
export class Unreachable extends UsageError {}

function unreachable(url: string, error: unknown): Unreachable {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const { code } = Object(cause) as { code?: string };
  return new Unreachable(
    `the coordinator at ${url} cannot be reached: ${code ?? messageOf(cause)}.`,
    "Is it running? Start one with: tenterhook up",
  );
}

/** Of a coordinator that is busy or not ready yet, and of whoever answers in its place while it is away. */
const TEMPORARY = new Set([502, 503, 504]);

/** What, where, what to do. */
function refusal(
  status: number,
  problem: ProblemBody | undefined,
  { pathname, origin }: URL,
  meant: string | undefined,
): UsageError {
  const Refused = TEMPORARY.has(status) ? Unreachable : UsageError;
  if (problem === undefined) {
    return new Refused(
      `${origin} answered ${status} to ${pathname}.`,
      "Is that a coordinator of Tenterhook?",
    );
  }
  const { title, detail, field, hint, code, error_id } = problem;
  const where = field === undefined ? "" : ` (${field})`;
  const what = error_id === undefined ? hint : `The coordinator's log has it under ${error_id}.`;
  const guess = meant === undefined ? undefined : `Did you mean ${meant}?`;
  return new Refused(`${title}${where}: ${detail}.`, guess ?? what ?? REMEDIES[code], {
    code,
    status,
    ...(field !== undefined && { field }),
  });
}

/** For refusals that a person at a terminal can do something about, and the coordinator cannot know how. */
const REMEDIES: Readonly<Record<string, string>> = {
  unauthenticated: "Give --token, or set TENTERHOOK_TOKEN.",
  forbidden: "A token with another scope is made with: tenterhook token create",
  unknown_agent: "tenterhook agents lists those that there are.",
  not_found: "tenterhook runs, agents and approvals list what there is.",
};

function readProblem(text: string): ProblemBody | undefined {
  try {
    const problem = JSON.parse(text) as Partial<ProblemBody> | null;
    return typeof problem?.title === "string" && typeof problem.detail === "string"
      ? (problem as ProblemBody)
      : undefined;
  } catch {
    return undefined;
  }
}
