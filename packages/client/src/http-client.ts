import { LONGEST_TIMER_MS, linkedController, pause } from "@tenterhook/internal";
import { checkAddress, checkToken } from "./check-access.ts";
import {
  type AnyInput,
  formatPath,
  type InputArguments,
  type OperationName,
  type ResponseOf,
} from "./operation-input.ts";
import { readText } from "./read-chunks.ts";
import { describeFailure, RequestError, readProblem } from "./request-error.ts";
import { type RetryPolicy, retryDelayMs } from "./retry-policy.ts";

/** Where the coordinator is, and how requests are sent to it. */
export interface ClientOptions {
  /** The coordinator's URL. Empty in a page that the coordinator serves. */
  readonly url: string;
  /** An access token. A page whose user has signed in needs none. */
  readonly token?: string | undefined;
  /** How long one attempt may take, in milliseconds; `Infinity` for no limit. Default 60,000. */
  readonly timeoutMs?: number | undefined;
  /** For requests that may be repeated: those that read, and those with an idempotency key. */
  readonly retry?: RetryPolicy | undefined;
  /** Reads a response that has begun to its end, also when the signal fires: it may tell what the request has changed. Default: false. */
  readonly readsToEnd?: boolean | undefined;
  /** Writes a body as JSON. Default: `JSON.stringify`. */
  readonly stringify?: ((body: unknown) => string) | undefined;
  /** The id of the run that sends a request, if one does. Default: that of the runner around, for a `TenterhookClient`. */
  readonly currentRun?: (() => string | undefined) | undefined;
  /** Sends a request. Default: the global `fetch`. */
  readonly fetch?: ((url: string, request: RequestInit) => Promise<Response>) | undefined;
}

/** More than the longest time that the coordinator waits before it answers. */
const DEFAULT_TIMEOUT_MS = 60_000;

/** Sends requests to a coordinator: the part of the client that knows no operation by itself. */
export class HttpClient {
  /** The coordinator's URL, without a slash at its end. */
  readonly url: string;
  readonly #options: ClientOptions;

  /** Throws `bad_client` for an address or a token that cannot be sent. */
  constructor(options: ClientOptions) {
    checkAddress(options.url);
    checkToken(options.token ?? "");
    this.url = options.url.replace(/\/+$/, "");
    this.#options = options;
  }

  /**
   * Sends a request, and repeats it as the retry policy says. Resolves to the JSON of the response, `undefined` for none. Rejects with
   * a `RequestError`, with the reason of the signal, or with the error of a body that is not JSON.
   */
  async send<O extends OperationName>(operation: O, ...[input]: InputArguments<O>): Promise<ResponseOf<O>> {
    const given: AnyInput = input ?? {};
    const path = formatPath(operation, given);
    const request = this.#request(operation, given);
    const { retry = {} } = this.#options;
    const policy = request.method === "GET" || given.idempotencyKey !== undefined ? retry : { attempts: 1 };
    for (let attempt = 1; ; attempt++) {
      try {
        // The types are generated from the coordinator's schemas.
        return (await this.#attempt(path, request, given, readJson)) as ResponseOf<O>;
      } catch (error) {
        const delayMs = retryDelayMs(error, attempt, policy);
        if (delayMs === undefined) throw error;
        await pause(delayMs, given.signal);
        given.signal?.throwIfAborted();
      }
    }
  }

  /** Sends a request once. Resolves to the successful response, whose body the caller reads; the timeout ends with its headers. */
  async open<O extends OperationName>(operation: O, ...[input]: InputArguments<O>): Promise<Response> {
    const given: AnyInput = input ?? {};
    const accept = { accept: "*/*", ...given.headers };
    const request = this.#request(operation, { ...given, headers: accept });
    return this.#attempt(formatPath(operation, given), request, given, async (response, signal) => {
      if (response.ok) return response;
      throw readProblem(response, await readText(response, signal));
    });
  }

  #request(operation: OperationName, { body, headers, idempotencyKey }: AnyInput): RequestInit {
    const { token, currentRun, stringify = JSON.stringify } = this.#options;
    const method = operation.slice(0, operation.indexOf(" "));
    const run = method === "POST" ? currentRun?.() : undefined;
    return {
      method,
      headers: {
        accept: "application/json",
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(run !== undefined && { "tenterhook-run": run }),
        ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
        ...headers,
      },
      // A redirect could send the token elsewhere.
      redirect: "error",
      ...(body !== undefined && { body: stringify(body) }),
    };
  }

  async #attempt<T>(
    path: string,
    request: RequestInit,
    { signal, timeoutMs = this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS }: AnyInput,
    read: (response: Response, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    signal?.throwIfAborted();
    const { controller, release } = linkedController(signal);
    const late = new RequestError("request_timeout", `no response within ${timeoutMs} ms`);
    const timer =
      timeoutMs <= LONGEST_TIMER_MS ? setTimeout(() => controller.abort(late), timeoutMs) : undefined;
    const { fetch = globalThis.fetch, readsToEnd = false } = this.#options;
    try {
      const response = await fetch(`${this.url}${path}`, { ...request, signal: controller.signal });
      if (readsToEnd) release();
      const result = await read(response, controller.signal);
      controller.signal.throwIfAborted();
      return result;
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (controller.signal.aborted) throw late;
      if (error instanceof RequestError) throw error;
      throw unreachable(this.url, error);
    } finally {
      clearTimeout(timer);
      release();
    }
  }
}

function unreachable(url: string, cause: unknown): RequestError {
  const where = url === "" ? "" : ` at ${url}`;
  return new RequestError(
    "coordinator_unreachable",
    `the coordinator${where} cannot be reached: ${describeFailure(cause)}`,
    { cause },
  );
}

async function readJson(response: Response, signal: AbortSignal): Promise<unknown> {
  const text = await readText(response, signal);
  if (!response.ok) throw readProblem(response, text);
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch (cause) {
    const { status } = response;
    throw new RequestError("bad_response", `the body of a response of status ${status} is not JSON`, {
      status,
      cause,
    });
  }
}
