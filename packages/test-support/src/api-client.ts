import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

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

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: object;
}

interface OperationObject {
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
}

/** Calls a coordinator, and checks every answer against what its own `/openapi.json` promises. */
export class ApiClient {
  readonly url: string;
  readonly token: string;
  #promises: Promises | undefined;

  constructor(url: string, token: string) {
    this.url = url;
    this.token = token;
  }

  /** A client of the same coordinator with another token. */
  as(token: string): ApiClient {
    return new ApiClient(this.url, token);
  }

  // The tests say what they expect to be answered; the answer's shape has been checked here.
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
    if (isJson && text !== "") (await this.#promised()).check(method, path, response.status, value);
    return { status: response.status, headers: response.headers, body: value as T };
  }

  get = <T = never>(path: string, options?: CallOptions) => this.call<T>("GET", path, options);
  post = <T = never>(path: string, body: unknown = {}, options?: CallOptions) =>
    this.call<T>("POST", path, { ...options, body });
  put = <T = never>(path: string, body: unknown, options?: CallOptions) =>
    this.call<T>("PUT", path, { ...options, body });
  delete = <T = never>(path: string, options?: CallOptions) => this.call<T>("DELETE", path, options);

  async #promised(): Promise<Promises> {
    if (this.#promises === undefined) {
      const response = await fetch(`${this.url}/openapi.json`);
      this.#promises = new Promises((await response.json()) as Document);
    }
    return this.#promises;
  }
}

/** What a document promises about answers. */
class Promises {
  readonly #document: Document;
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false });
  readonly #checks = new Map<string, ValidateFunction>();

  constructor(document: Document) {
    this.#document = document;
    this.#ajv.addSchema({ $id: "https://coordinator/", components: document.components });
  }

  check(method: string, path: string, status: number, value: unknown): void {
    const [address = ""] = path.split("?", 1);
    const template = Object.keys(this.#document.paths).find((each) => fits(each, address));
    const isRefusal = status >= 400;
    const operation = template && this.#document.paths[template]?.[method.toLowerCase()];
    if (!operation && !isRefusal) throw new Error(`${method} ${path} is not in the document`);
    if (template === "/openapi.json") return;
    const pointer = isRefusal
      ? "#/components/schemas/Problem"
      : pointerOf(operation as OperationObject, status);
    if (pointer === undefined) throw new Error(`${method} ${path} does not promise a ${status}`);
    const check = this.#checks.get(pointer) ?? this.#ajv.compile({ $ref: `https://coordinator/${pointer}` });
    this.#checks.set(pointer, check);
    if (!check(value)) {
      throw new Error(`${method} ${path} broke its promise: ${this.#ajv.errorsText(check.errors)}`);
    }
  }
}

function pointerOf({ responses }: OperationObject, status: number): string | undefined {
  const content = responses[status]?.content?.["application/json"] as { schema?: { $ref?: string } };
  return content?.schema?.$ref;
}

function fits(template: string, address: string): boolean {
  const pattern = template.replaceAll(/[.]/g, "\\.").replaceAll(/\{\w+\}/g, "[^/]+");
  return new RegExp(`^${pattern}$`).test(address);
}
