import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What the lockfile repeats of a manifest that a release changes. */
const REPEATED = ["version", "dependencies", "devDependencies", "peerDependencies"] as const;

/**
 * Takes the versions of the workspaces over into the lockfile. `npm install` would do more: it drops entries of packages for other
 * systems that its registry lacks.
 */
export function lockVersions(root: string): void {
  const path = join(root, "package-lock.json");
  const lock = JSON.parse(readFileSync(path, "utf8")) as {
    packages: Record<string, Record<string, unknown>>;
  };
  for (const [folder, locked] of Object.entries(lock.packages)) {
    if (folder.includes("node_modules")) continue;
    const manifest = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
    for (const field of REPEATED) if (field in locked) locked[field] = manifest[field];
  }
  writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
}
