import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants as zlib } from "node:zlib";

interface Entry {
  readonly path: string;
  /** The size of a file; a folder has none. */
  readonly size?: number;
}

/**
 * A folder as one compressed buffer: the list of its files as JSON, a line end, then their contents. A third of the size of a gzipped
 * tarball: PostgreSQL keeps most of its catalogue three times, and Brotli finds that in its window of 16 MB.
 */
export async function packFolder(folder: string): Promise<Buffer> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const entries: Entry[] = [];
  const contents: Buffer[] = [];
  const paths = found.map((item) => ({ item, path: join(item.parentPath, item.name) }));
  for (const { item, path } of paths.sort((one, other) => (one.path < other.path ? -1 : 1))) {
    const name = relative(folder, path);
    if (item.isDirectory()) {
      entries.push({ path: name });
      continue;
    }
    const content = await readFile(path);
    entries.push({ path: name, size: content.length });
    contents.push(content);
  }
  const whole = Buffer.concat([Buffer.from(`${JSON.stringify(entries)}\n`), ...contents]);
  return promisify(brotliCompress)(whole, {
    params: {
      [zlib.BROTLI_PARAM_QUALITY]: 9,
      [zlib.BROTLI_PARAM_LGWIN]: 24,
      [zlib.BROTLI_PARAM_SIZE_HINT]: whole.length,
    },
  });
}

/** Writes the files of a packed folder into a new one. */
export async function unpackFolder(packed: Buffer, folder: string): Promise<void> {
  // In large pieces: the default of 16 KB makes it twice as slow.
  const whole = await promisify(brotliDecompress)(packed, { chunkSize: 8 * 1024 * 1024 });
  const end = whole.indexOf("\n");
  const entries: Entry[] = JSON.parse(whole.toString("utf8", 0, end));
  await mkdir(folder, { mode: 0o700 });
  let offset = end + 1;
  const writes: Promise<void>[] = [];
  for (const { path, size } of entries) {
    const target = join(folder, path);
    if (size === undefined) {
      await mkdir(target, { mode: 0o700 });
      continue;
    }
    writes.push(writeFile(target, whole.subarray(offset, offset + size), { mode: 0o600 }));
    offset += size;
    // A few at a time: systems limit the number of open files.
    if (writes.length === 32) await Promise.all(writes.splice(0));
  }
  await Promise.all(writes);
}
