import { createReadStream, existsSync } from "node:fs";
import { createInterface } from "node:readline";

/** At most this many rotated files are kept. */
const MAX_FILES = 100;

/** The lines of the audit trail, oldest first: rotated files, then the first `bytes` of the file itself. */
export async function* auditLines(path: string, bytes = Number.POSITIVE_INFINITY): AsyncGenerator<string> {
  for (const file of rotatedFiles(path).reverse()) yield* readLines(file);
  if (bytes > 0 && existsSync(path)) yield* readLines(path, bytes - 1);
}

/** Newest first. */
function rotatedFiles(path: string): string[] {
  const files: string[] = [];
  for (let number = 1; number <= MAX_FILES && existsSync(`${path}.${number}`); number++) {
    files.push(`${path}.${number}`);
  }
  return files;
}

function readLines(file: string, end = Number.POSITIVE_INFINITY): AsyncIterable<string> {
  return createInterface({ input: createReadStream(file, { end }), crlfDelay: Number.POSITIVE_INFINITY });
}
