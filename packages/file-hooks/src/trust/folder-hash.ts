import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync, type Stats } from "node:fs";
import { join, relative, sep } from "node:path";
import { TenterhookError } from "@tenterhook/protocol";

/** A hook is a few small files; anything larger is not what somebody looked at when they trusted it. */
const MOST_ENTRIES = 2_000;
const MOST_BYTES = 64 * 1024 * 1024;

interface Part {
  readonly path: string;
  readonly kind: "file" | "link";
  readonly isExecutable: boolean;
  readonly signature: string;
}

/**
 * The hash of everything in a hook's folder: names, contents, executable bits and links. A link out of the folder is
 * refused, because what it points to could change without the hash changing.
 */
export function hashFolder(folder: string): string {
  const hash = createHash("sha256");
  let bytes = 0;
  for (const { path, kind, isExecutable } of partsOf(folder)) {
    const full = join(folder, path);
    const content = kind === "link" ? Buffer.from(readlinkSync(full)) : readFileSync(full);
    bytes += content.length;
    if (bytes > MOST_BYTES) throw tooLarge(folder);
    hash.update(JSON.stringify([path.split(sep).join("/"), kind, isExecutable, content.length]));
    hash.update(content);
  }
  return hash.digest("hex");
}

/** What tells cheaply whether anything in the folder may have changed; change times cannot be set back. */
export function folderSignature(folder: string): string {
  return JSON.stringify(
    partsOf(folder).map(({ path, kind, isExecutable, signature }) => [path, kind, isExecutable, signature]),
  );
}

function partsOf(folder: string): readonly Part[] {
  const parts: Part[] = [];
  const inside = realpathSync(folder);
  let entries = 0;
  const visit = (current: string) => {
    for (const name of readdirSync(current).sort((a, b) => (a < b ? -1 : 1))) {
      if (++entries > MOST_ENTRIES) throw tooLarge(folder);
      const full = join(current, name);
      const stats = lstatSync(full);
      if (stats.isDirectory()) visit(full);
      else parts.push(partFor(folder, inside, full, stats));
    }
  };
  visit(folder);
  return parts;
}

function partFor(folder: string, inside: string, full: string, stats: Stats): Part {
  const path = relative(folder, full);
  if (stats.isSymbolicLink()) {
    const target = realpathSync(full);
    if (!`${target}${sep}`.startsWith(`${inside}${sep}`))
      throw unfit(`${full} is a link to ${target}, outside the hook's folder`);
    return {
      path,
      kind: "link",
      isExecutable: false,
      signature: `${stats.ino}:${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}`,
    };
  }
  if (!stats.isFile()) throw unfit(`${full} is neither a file nor a folder`);
  return {
    path,
    kind: "file",
    isExecutable: (stats.mode & 0o111) !== 0,
    signature: `${stats.ino}:${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}`,
  };
}

function tooLarge(folder: string): TenterhookError {
  return unfit(
    `${folder} has more than ${MOST_ENTRIES} files and folders or ${MOST_BYTES / 1024 / 1024} MiB`,
  );
}

function unfit(message: string): TenterhookError {
  return new TenterhookError("hook_untrusted", `this folder cannot be trusted: ${message}.`);
}
