import type { IncomingMessage, ServerResponse } from "node:http";
import { isKnown } from "../etag.ts";
import { readStaticFiles, type StaticFile, staticFile } from "./static-files.ts";

/** No content of other sites, no frames: the page has an administrator's cookie. */
const CONTENT_POLICY = [
  "default-src 'self'",
  "img-src 'self' data:",
  // The component library writes its few computed styles into the page. Scripts come from files alone.
  "style-src 'self' 'unsafe-inline'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

/** Addresses that a browser may open and that are not the page. */
const NOT_THE_PAGE = new Set(["/openapi.json", "/metrics", "/healthz", "/readyz"]);

/** Whether a browser opens an address, and no program requests it. */
export function isOpened({ headers }: IncomingMessage): boolean {
  return headers.accept?.includes("text/html") ?? false;
}

/** The dashboard's files. Every address that a browser opens gets the page, which does its own routing. */
export class Page {
  readonly #files: ReadonlyMap<string, StaticFile>;
  readonly #index: StaticFile;

  /** The page in a folder; without one, a plain page at `/`. */
  static async open(folder: string | undefined): Promise<Page> {
    const files = folder === undefined ? new Map<string, StaticFile>() : await readStaticFiles(folder);
    const index = files.get("/index.html");
    if (folder !== undefined && index === undefined) throw new Error(`there is no index.html in ${folder}`);
    return new Page(files, index ?? staticFile("/index.html", Buffer.from(PLAIN_PAGE)));
  }

  private constructor(files: ReadonlyMap<string, StaticFile>, index: StaticFile) {
    this.#files = files;
    this.#index = index;
  }

  /** The file that a request is for; `undefined` when it is for the coordinator. */
  find(incoming: IncomingMessage): StaticFile | undefined {
    const { method, url = "/" } = incoming;
    if (method !== "GET" && method !== "HEAD") return undefined;
    const [path = "/"] = url.split("?", 1);
    const file = this.#files.get(path);
    if (file !== undefined) return file;
    if (path === "/") return this.#index;
    // A login link is handled by the coordinator; without its code the page shows how to sign in.
    const isForCoordinator = NOT_THE_PAGE.has(path) || (path === "/login" && path !== url);
    return isOpened(incoming) && this.#files.size > 0 && !isForCoordinator ? this.#index : undefined;
  }

  send(file: StaticFile, incoming: IncomingMessage, outgoing: ServerResponse): void {
    const headers = {
      "content-type": file.type,
      etag: file.etag,
      "cache-control": file.isImmutable ? "public, max-age=31536000, immutable" : "no-cache",
      "content-security-policy": CONTENT_POLICY,
      "x-content-type-options": "nosniff",
      "referrer-policy": "same-origin",
      vary: "accept, accept-encoding",
    };
    if (isKnown(incoming, file.etag)) {
      outgoing.writeHead(304, headers).end();
      return;
    }
    const takesGzip = /\bgzip\b/.test(String(incoming.headers["accept-encoding"] ?? ""));
    const gzipped = takesGzip ? file.gzipped : undefined;
    const bytes = gzipped ?? file.bytes;
    outgoing
      .writeHead(200, {
        ...headers,
        "content-length": bytes.length,
        ...(gzipped !== undefined && { "content-encoding": "gzip" }),
      })
      .end(bytes);
  }
}

/** The page at `/` of a coordinator without a dashboard. */
const PLAIN_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Tenterhook</title>
<h1>Tenterhook</h1>
<p>The coordinator is running. This one was started without its dashboard.</p>
<p>Everything it can do is listed at <a href="/openapi.json">/openapi.json</a>. A program sends
<code>Authorization: Bearer …</code> with the token in the coordinator's data folder.</p>
</html>
`;
