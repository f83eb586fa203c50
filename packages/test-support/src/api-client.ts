import { PromisedAnswers } from "./promised-answers.ts";

export interface ApiAnswer<T = unknown> {
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

/** Calls a coordinator, and checks every answer against what its own `/openapi.json` promises. */
export class ApiClient {
  readonly url: string;
  readonly token: string;
  #promised: Promise<PromisedAnswers> | undefined;

  constructor(url: string, token: string) {
    this.url = url;
    this.token = token;
  }

  /** A client of the same coordinator with another token. */
  as(token: string): ApiClient {
    return new ApiClient(this.url, token);
  }

  // The caller declares the type of the body; its shape is checked here.
  async call<T = never>(method: string, path: string, options: CallOptions = {}): Promise<ApiAnswer<T>> {
    const { body, headers, token = this.token, signal } = options;
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      redirect: "manual",
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
    });
    const text = await response.text();
    const isJson = /json/.test(response.headers.get("content-type") ?? "");
    const value: unknown = isJson && text !== "" ? JSON.parse(text) : text;
    if (isJson && text !== "") {
      this.#promised ??= PromisedAnswers.of(this.url, this.token);
      (await this.#promised).check(method, path, response.status, value);
    }
    return { status: response.status, headers: response.headers, body: value as T };
  }

  get = <T = never>(path: string, options?: CallOptions) => this.call<T>("GET", path, options);
  post = <T = never>(path: string, body: unknown = {}, options?: CallOptions) =>
    this.call<T>("POST", path, { ...options, body });
  put = <T = never>(path: string, body: unknown, options?: CallOptions) =>
    this.call<T>("PUT", path, { ...options, body });
  delete = <T = never>(path: string, options?: CallOptions) => this.call<T>("DELETE", path, options);
}
