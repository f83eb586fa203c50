import { createHash } from "node:crypto";

/** A name for a file that stands for a text that comes from outside. */
export function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
