import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import { gzipSync } from "node:zlib";

/** A file that is served as it is. */
export interface StaticFile {
  readonly bytes: Buffer;
  readonly gzipped: Buffer | undefined;
  readonly type: string;
  readonly etag: string;
  /** Its name changes with its content, so it may be cached forever. */
  readonly isImmutable: boolean;
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
  ".map": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
};

const COMPRESSIBLE = /^(?:text\/|image\/svg|application\/(?:json|manifest))/;
/** `index-BXk3f9Qz.js`, as bundlers write it. */
const HASHED_NAME = /[-.][A-Za-z0-9_-]{8,}\.\w+$/;

/**
 * Reads a folder of files once, by their addresses. A page is small, and a lookup in a map cannot lead out of the
 * folder.
 */
export async function readStaticFiles(folder: string): Promise<ReadonlyMap<string, StaticFile>> {
  const files = new Map<string, StaticFile>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const address = `/${relative(folder, path).split(sep).join("/")}`;
    files.set(address, staticFile(address, await readFile(path)));
  }
  return files;
}

export function staticFile(address: string, bytes: Buffer): StaticFile {
  const type = TYPES[extname(address)] ?? "application/octet-stream";
  let gzipped: Buffer | undefined;
  return {
    bytes,
    // On the first request: a coordinator should not wait for it when it starts.
    get gzipped() {
      if (bytes.length > 1_000 && COMPRESSIBLE.test(type)) gzipped ??= gzipSync(bytes);
      return gzipped;
    },
    type,
    etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`,
    isImmutable: address.startsWith("/assets/") && HASHED_NAME.test(address),
  };
}
