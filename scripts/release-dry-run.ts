// `npm run release` shows what a release would publish, in order. It never publishes: every call of npm is a dry run.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { addressProblem } from "./release/address.ts";
import { publicPackages } from "./release/manifests.ts";
import { packAll } from "./release/pack.ts";

const [root = fileURLToPath(new URL("../../", import.meta.url))] = process.argv.slice(2);

const folder = mkdtempSync(join(tmpdir(), "tenterhook-release-"));
try {
  const tarballs = packAll(root, publicPackages(root), folder);
  console.log("Would publish, in this order:");
  for (const { manifest, file } of tarballs) {
    publishDry(file);
    const size = `${Math.ceil(statSync(file).size / 1_000)} kB`;
    console.log(`  ${manifest.name}@${manifest.version}  ${size}`);
  }
  const problem = addressProblem(root);
  if (problem !== undefined) console.log(`Not ready to be published. ${problem}`);
  console.log("This was a dry run: nothing was published.");
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function publishDry(file: string): void {
  try {
    execFileSync("npm", ["publish", file, "--dry-run"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  } catch (error) {
    const { stderr = "" } = error as { stderr?: string };
    throw new Error(`npm would not publish ${file}:\n${stderr}`);
  }
}
