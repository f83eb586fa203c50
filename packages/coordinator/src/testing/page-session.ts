import type { ApiClient } from "@tenterhook/test-support";

/** A page's session: its cookie, and requests as the page makes them. */
export class PageSession {
  readonly cookie: string;
  readonly maxAge: number;
  readonly #client: ApiClient;

  private constructor(client: ApiClient, headers: Headers) {
    const [, cookie = "", age = ""] = /^([^;]+);.*Max-Age=(\d+)/.exec(headers.get("set-cookie") ?? "") ?? [];
    this.cookie = cookie;
    this.maxAge = Number(age);
    this.#client = client;
  }

  static async byToken(client: ApiClient): Promise<PageSession> {
    const { headers } = await client.post("/login", { token: client.token }, { token: null });
    return new PageSession(client, headers);
  }

  static async byLink(client: ApiClient, url: string): Promise<PageSession> {
    const { pathname, search } = new URL(url);
    return new PageSession(client, (await client.get(pathname + search, { token: null })).headers);
  }

  get #options() {
    return { token: null, headers: { cookie: this.cookie, origin: this.#client.url } };
  }

  status = async () => (await this.#client.get("/whoami", this.#options)).status;
  get = <T = never>(path: string) => this.#client.get<T>(path, this.#options);
  post = <T = never>(path: string, body: unknown = {}) => this.#client.post<T>(path, body, this.#options);
}
