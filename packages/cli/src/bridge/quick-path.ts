/** Replaces `node:path` in the bundle of the bridge: Node compiles its own `join` first, which takes longer than all calls of it. */
const nodes = process.getBuiltinModule("node:path");

export const {
  basename,
  delimiter,
  dirname,
  extname,
  isAbsolute,
  normalize,
  parse,
  posix,
  relative,
  resolve,
  sep,
} = nodes;

/** Parts that have nothing to be resolved or left out are only put together. */
export function join(...parts: readonly string[]): string {
  return sep === "/" && parts.length > 0 && parts.every(isPlain) ? parts.join("/") : nodes.join(...parts);
}

function isPlain(part: string, at: number): boolean {
  if (part === "" || part.endsWith("/") || (at > 0 && part.startsWith("/")) || part.includes("//"))
    return false;
  return (
    part !== "." && part !== ".." && !part.includes("./") && !part.endsWith("/.") && !part.endsWith("/..")
  );
}
