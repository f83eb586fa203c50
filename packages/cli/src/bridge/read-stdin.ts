import { fstatSync, readFileSync } from "node:fs";
import { readText } from "./read-text.ts";

/** Reads the payload on standard input; rejects when it is not complete in time. */
export async function readStdin(leftMs: number): Promise<string> {
  return isFile() ? readFileSync(0, "utf8") : readText(process.stdin, leftMs);
}

function isFile(): boolean {
  try {
    return fstatSync(0).isFile();
  } catch {
    return false;
  }
}
