import { readSync } from "node:fs";

const CHUNK = 64 * 1024;
/** More than any client sends; what is longer is cut, and then no JSON. */
const LONGEST = 256 * 1024 * 1024;

/**
 * What a client writes to standard input, read as soon as it is whole: a client that leaves the pipe open is not waited for.
 * Reading it at once is quicker by the time that streams take to load, which is only done for a pipe that cannot be read so.
 */
export async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK);
    let read: number;
    try {
      read = readSync(0, chunk, 0, CHUNK, null);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EAGAIN") return readLater(chunks);
      // On Windows the end of a pipe is an error. Without standard input there is nothing to read.
      return textOf(chunks);
    }
    if (read === 0 || length > LONGEST) return textOf(chunks);
    chunks.push(chunk.subarray(0, read));
    length += read;
    if (isWhole(chunks)) return textOf(chunks);
  }
}

async function readLater(chunks: Buffer[]): Promise<string> {
  for await (const chunk of process.stdin) {
    chunks.push(chunk as Buffer);
    if (isWhole(chunks)) break;
  }
  return textOf(chunks);
}

/** Whether what was read is all of it: the end of an object, and JSON. */
function isWhole(chunks: readonly Buffer[]): boolean {
  const last = chunks.at(-1)?.toString("latin1").trimEnd();
  if (last === undefined || !last.endsWith("}")) return false;
  try {
    JSON.parse(textOf(chunks));
    return true;
  } catch {
    return false;
  }
}

function textOf(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString("utf8");
}
