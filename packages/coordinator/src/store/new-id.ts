import { randomFillSync } from "node:crypto";

const ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz";
const RANDOM_LENGTH = 11;

// The cost of random bytes depends on the number of calls, not on the number of bytes.
const pool = new Uint8Array(RANDOM_LENGTH * 128);
let used = pool.length;

/** An id that sorts by time, with a prefix for its kind: `run_`, `ses_`, `hook_`, … */
export function newId(kind: "run" | "ses" | "hook" | "apr" | "runner" | "tok" | "trial"): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  let id = `${kind}_${Date.now().toString(36).padStart(9, "0")}`;
  for (const end = used + RANDOM_LENGTH; used < end; used++) id += ALPHABET[(pool[used] ?? 0) % 36];
  return id;
}
