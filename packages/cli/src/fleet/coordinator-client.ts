import { messageOf } from "@tenterhook/internal";
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

/** The HTTP client of a coordinator. Problem responses become `UsageError`s with advice. */
export class CoordinatorClient {
  readonly #access: Access;

  constructor(access: Access) {
    this.#access = access;
  }

  get url(): string {
    return this.#access.url;
  }

  /** Sends a request and returns the JSON of the response; `undefined` if it is empty. The path determines the type. */
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

  /** Sends a request and returns the successful response. */
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
    const suggestion =
      problem &&
      (await suggestName(problem.detail, (list) =>
        this.#fetch(new URL(`${this.#access.url}${list}`), { method: "GET" }),
      ));
    throw problemError(response.status, problem, url, suggestion);
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
      // A redirect could send the token elsewhere.
      redirect: "error",
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
    }).catch((error: unknown) => {
      if (signal?.aborted) throw error;
      throw unreachable(this.#access.url, error);
    });
  }
}

/** There was no usable response; a retry may succeed. */
export class Unreachable extends UsageError {}

function unreachable(url: string, error: unknown): Unreachable {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const { code } = Object(cause) as { code?: string };
  return new Unreachable(
    `the coordinator at ${url} cannot be reached: ${code ?? messageOf(cause)}.`,
    "Is it running? Start one with: tenterhook up",
  );
}

/** Status codes of a busy or starting coordinator, and of proxies while it is unreachable. */
const TEMPORARY = new Set([502, 503, 504]);

/** The error of a problem response. */
function problemError(
  status: number,
  problem: ProblemBody | undefined,
  { pathname, origin }: URL,
  suggestion: string | undefined,
): UsageError {
  const ErrorClass = TEMPORARY.has(status) ? Unreachable : UsageError;
  if (problem === undefined) {
    return new ErrorClass(
      `${origin} responded with ${status} to ${pathname}.`,
      "Check that this is a Tenterhook coordinator.",
    );
  }
  const { title, detail, field, hint, code, error_id } = problem;
  const where = field === undefined ? "" : ` (${field})`;
  const advice = error_id === undefined ? hint : `See the coordinator's log for ${error_id}.`;
  const correction = suggestion === undefined ? undefined : `Did you mean ${suggestion}?`;
  return new ErrorClass(`${title}${where}: ${detail}.`, correction ?? advice ?? REMEDIES[code], {
    code,
    status,
    ...(field !== undefined && { field }),
  });
}

/** Advice for users of the command line, by error code. */
const REMEDIES: Readonly<Record<string, string>> = {
  unauthenticated: "Use --token, or set TENTERHOOK_TOKEN.",
  forbidden: "Create a token with another scope: tenterhook tokens create",
  unknown_agent: "tenterhook agents lists the known agents.",
  not_found: "tenterhook runs, agents and approvals list what exists.",
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
