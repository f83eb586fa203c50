import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { pageFolder } from "@tenterhook/dashboard";
import { expect, test } from "vitest";

/** The size when schemas began to load with the pages that need them, and of the client's checks of access, ids and responses since. */
const BYTES = 242_518 + 400;
/** One per cent more. */
const MAX_BYTES = 1.01 * BYTES;

test("the files that load before the first paint stay small", async () => {
  const html = await readFile(join(pageFolder, "index.html"), "utf8");
  const names = new Set(
    [...html.matchAll(/(?:src|href)="\/?([^"]+\.(?:js|css))"/g)].map(([, name]) => name ?? ""),
  );
  expect(names.size).toBeGreaterThan(1);
  const files = await Promise.all([...names].map((name) => readFile(join(pageFolder, name))));
  const bytes = [Buffer.from(html), ...files].reduce((sum, file) => sum + gzipSync(file).length, 0);
  expect(bytes).toBeLessThan(MAX_BYTES);
});
