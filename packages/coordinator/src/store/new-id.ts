import { randomBytes } from "node:crypto";

const ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz";

/** An id that sorts by time and says what it is the id of: `run_`, `ses_`, `hook_`, … */
export function newId(kind: "run" | "ses" | "hook" | "apr" | "runner" | "tok"): string {
  let time = Date.now().toString(36).padStart(9, "0");
  for (const byte of randomBytes(11)) time += ALPHABET[byte % 36];
  return `${kind}_${time}`;
}
