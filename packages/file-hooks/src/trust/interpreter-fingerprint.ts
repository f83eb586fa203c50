import { createHash } from "node:crypto";
import { readSync, realpathSync } from "node:fs";
import { BoundedMap } from "@tenterhook/internal";
import {
  isInside,
  isReliable,
  isSameSignature,
  realPath,
  type Signature,
  withOpenFile,
} from "@tenterhook/internal/files";
import { unfit } from "./folder-hash.ts";

const known = new BoundedMap<string, { readonly signature: Signature; readonly hash: string }>(100);

/**
 * Shows whether a named interpreter is still the trusted one: the file that it leads to and, when that lies in the
 * project, its content. A system's own program may be updated without a question. Throws when there is no such file.
 */
export function fingerprintOf(interpreter: string, project: string): string {
  const real = resolved(interpreter);
  const isCovered = isInside(real, realPath(project));
  return isCovered ? `${real} sha256:${hashFile(real)}` : real;
}

function resolved(interpreter: string): string {
  try {
    return realpathSync(interpreter);
  } catch {
    throw unfit(`the interpreter ${interpreter}, named under metadata.interpreter, does not exist`);
  }
}

function hashFile(path: string): string {
  return withOpenFile(path, (file, stats) => {
    if (!stats.isFile()) throw unfit(`the interpreter ${path} is not a file`);
    const last = known.get(path);
    if (last !== undefined && isSameSignature(last.signature, stats)) return last.hash;
    const hash = createHash("sha256");
    const buffer = Buffer.allocUnsafe(1024 * 1024);
    for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer))
      hash.update(buffer.subarray(0, read));
    const digest = hash.digest("hex");
    if (isReliable(stats)) known.set(path, { signature: stats, hash: digest });
    return digest;
  });
}
