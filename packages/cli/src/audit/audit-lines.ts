import { createReadStream, existsSync } from "node:fs";
import { createInterface } from "node:readline";

/** More files than this are not kept. */
const MAX_FILES = 100;

/** The lines of the audit trail, oldest first: what was set aside, then the file itself, or so many bytes of it. */
export async function* auditLines(path: string, bytes = Number.POSITIVE_INFINITY): AsyncGenerator<string> {
  for (const file of rotatedFiles(path).reverse()) yield* linesOf(file);
  if (bytes > 0 && existsSync(path)) yield* linesOf(path, bytes - 1);
}

/** The newest first. */
function rotatedFiles(path: string): string[] {
  const files: string[] = [];
  for (let number = 1; number <= MAX_FILES && existsSync(`${path}.${number}`); number++) {
    files.push(`${path}.${number}`);
  }
  return files;
}

function linesOf(file: string, end = Number.POSITIVE_INFINITY): AsyncIterable<string> {
  return createInterface({ input: createReadStream(file, { end }), crlfDelay: Number.POSITIVE_INFINITY });
}
