// `npm run release:version` makes a release of the changes in `.changeset`: the changelog, the version of every package, the lockfile. It
// neither commits nor publishes.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import getReleasePlan from "@changesets/get-release-plan";
import { type Change, withRelease } from "./release/changelog.ts";
import { lockVersions } from "./release/lock-versions.ts";
import { writeVersions } from "./release/written-versions.ts";

const [root = fileURLToPath(new URL("../../", import.meta.url))] = process.argv.slice(2);
const changesetCommand = join(
  dirname(createRequire(import.meta.url).resolve("@changesets/cli/package.json")),
  "bin.js",
);

const { changesets, releases } = await getReleasePlan(root);
const version = releases.find(({ name }) => name === "tenterhook")?.newVersion;
if (changesets.length === 0 || version === undefined) {
  console.error("There is no change to release. `npx changeset` describes one.");
  process.exitCode = 1;
} else {
  const changes = changesets.map(
    ({ summary, releases: bumps }): Change => ({ summary, type: strongest(bumps.map(({ type }) => type)) }),
  );
  const changelog = join(root, "CHANGELOG.md");
  const text = withRelease(readFileSync(changelog, "utf8"), version, changes);
  execFileSync(process.execPath, [changesetCommand, "version"], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });
  writeFileSync(changelog, text);
  lockVersions(root);
  writeVersions(root, version);
  console.log(`Wrote version ${version}: ${changes.length} changes in CHANGELOG.md. Read them, then commit.`);
}

function strongest(types: readonly string[]): Change["type"] {
  return (["major", "minor"] as const).find((type) => types.includes(type)) ?? "patch";
}
