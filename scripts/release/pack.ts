import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { Manifest } from "./manifests.ts";

/** A package as it would be published. */
export interface Tarball {
  readonly manifest: Manifest;
  readonly file: string;
}

/** Packs packages into a folder, as `npm publish` would. */
export function packAll(root: string, manifests: readonly Manifest[], folder: string): readonly Tarball[] {
  return manifests.map((manifest) => {
    const args = ["pack", "--workspace", manifest.name, "--pack-destination", folder, "--silent"];
    const printed = execFileSync("npm", args, {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    });
    return { manifest, file: join(folder, printed.trim().split("\n").at(-1) ?? "") };
  });
}
