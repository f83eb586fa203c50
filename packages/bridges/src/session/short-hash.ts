import { createHash } from "node:crypto";

/** A file name for a text from outside. */
export function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
