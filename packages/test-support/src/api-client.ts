import { TenterhookClient } from "@tenterhook/client";
import { PromisedResponses } from "./promised-responses.ts";
import { sendRaw } from "./raw-request.ts";

export interface ApiResponse<T = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

export interface CallOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** `null` for none. Default: the client's. */
  readonly token?: string | null;
  readonly signal?: AbortSignal;
}

/**
 * The project's client, and beside it requests by method and path whose refusals are results. Those are checked against what the
 * coordinator's own `/openapi.json` promises.
 */
export class ApiClient extends TenterhookClient {
  readonly token: string;
  #promised: Promise<PromisedResponses> | undefined;

  constructor(url: string, token: string) {
    super({ url, token, retry: { attempts: 1 } });
    this.token = token;
  }

  /** A client of the same coordinator with another token. */
  as(token: string): ApiClient {
    return new ApiClient(this.url, token);
  }

  // The caller declares the type of the body; its shape is checked here.
  async call<T = never>(method: string, path: string, options: CallOptions = {}): Promise<ApiResponse<T>> {
    const { body, headers, token = this.token, signal } = options;
    const response = await sendRaw(this.url + path, {
      method,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
    });
    const { status, text } = response;
    const isJson = /json/.test(response.headers.get("content-type") ?? "");
    const value: unknown = isJson && text !== "" ? JSON.parse(text) : text;
    if (isJson && text !== "") {
      this.#promised ??= PromisedResponses.of(this.url, this.token);
      (await this.#promised).check(method, path, status, value);
    }
    return { status, headers: response.headers, body: value as T };
  }

  get = <T = never>(path: string, options?: CallOptions) => this.call<T>("GET", path, options);
  post = <T = never>(path: string, body: unknown = {}, options?: CallOptions) =>
    this.call<T>("POST", path, { ...options, body });
  put = <T = never>(path: string, body: unknown, options?: CallOptions) =>
    this.call<T>("PUT", path, { ...options, body });
  delete = <T = never>(path: string, options?: CallOptions) => this.call<T>("DELETE", path, options);
}
