import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { Manifest } from "./manifests.ts";

/** A package as it would be published. */
export interface Tarball {
  readonly manifest: Manifest;
  readonly file: string;
}

/** Packs packages into a folder, as `npm publish` would; npm is started once, because it reads the whole tree first. */
export function packAll(root: string, manifests: readonly Manifest[], folder: string): readonly Tarball[] {
  const workspaces = manifests.flatMap(({ name }) => ["--workspace", name]);
  const args = ["pack", ...workspaces, "--pack-destination", folder, "--json", "--loglevel=error"];
  const printed = execFileSync("npm", args, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1 << 26,
    stdio: ["ignore", "pipe", "inherit"],
  });
  // A list, or an object by the names of the packages: that depends on the version of npm.
  const packed = Object.values(JSON.parse(printed) as Record<string, { name: string; filename: string }>);
  return manifests.map((manifest) => {
    const found = packed.find(({ name }) => name === manifest.name);
    if (found === undefined) throw new Error(`npm did not pack ${manifest.name}`);
    return { manifest, file: join(folder, found.filename) };
  });
}
