/** A name for a file that stands for a text that comes from outside. */
export function shortHash(text: string): string {
  // Loaded when it is needed: most calls need no hash, and loading it takes longer than all else that they do.
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
