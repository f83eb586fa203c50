import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

/** No file that is kept between two processes comes near this. */
const LARGEST = 32 * 1024 * 1024;

/**
 * The text of a file. Throws for what is no plain file, and never waits for it: a pipe or a device in its place would keep a client
 * waiting until it gives up, and then most clients let the call run.
 */
export function readPlainFile(path: string): string {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new Error(`${path} is not a file`);
    if (stats.size > LARGEST) throw new Error(`${path} is larger than ${LARGEST} bytes`);
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}
