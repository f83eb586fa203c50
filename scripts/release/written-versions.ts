import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Files that say the version to servers, or show what is said; besides them it is only in package.json files. */
export const WRITTEN_VERSIONS = [
  { path: "packages/agent/src/tools/mcp/connect-mcp-servers.ts", before: 'version: "' },
  { path: "packages/coordinator/src/webhook/own-headers.ts", before: "tenterhook/" },
  { path: "docs/webhooks.md", before: "tenterhook/" },
] as const;

/** Writes a version into these files; throws when a file has none. */
export function writeVersions(root: string, version: string): void {
  for (const { path, before } of WRITTEN_VERSIONS) {
    const text = readFileSync(join(root, path), "utf8");
    const [head, tail] = split(text, before);
    if (tail === undefined) throw new Error(`${path} has no version after ${before}`);
    writeFileSync(join(root, path), `${head}${before}${version}${tail}`);
  }
}

/** What stands before the place and what stands behind the version there. */
function split(text: string, before: string): readonly [string, string?] {
  for (let at = text.indexOf(before); at >= 0; at = text.indexOf(before, at + 1)) {
    const found = /^\d+\.\d+\.\d+[\w.+-]*/.exec(text.slice(at + before.length));
    if (found !== null) return [text.slice(0, at), text.slice(at + before.length + found[0].length)];
  }
  return [text];
}
