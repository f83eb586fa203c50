// `npm run release:check` packs every public package, checks the content of the tarballs, and uses them as a user would:
// installed into an empty project, every entry point imported, every example of the READMEs run. With --published it first checks that
// the front page is the one for users of the published packages, and that the address is set: the last check before publishing.
// With --content it checks the tarballs, and does not install them.
import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { frontPageSteps } from "./first-steps/front-page-steps.ts";
import { readerEnvironment } from "./first-steps/reader-environment.ts";
import { renderFrontPage, TEMPLATE, whyNotPublishable } from "./generate/front-page.ts";
import { addressProblem } from "./release/address.ts";
import { importEntryPoints } from "./release/import-entry-points.ts";
import { inParallel } from "./release/in-parallel.ts";
import { type Manifest, manifestProblems, publicPackages } from "./release/manifests.ts";
import { packAll, type Tarball } from "./release/pack.ts";
import { runReadmeExamples } from "./release/readme-examples.ts";
import { contentProblems } from "./release/tarball-content.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

const readme = readFileSync(join(ROOT, "README.md"), "utf8");
const isPublished = process.argv.includes("--published");
const obstacle = isPublished ? (whyNotPublishable(readme) ?? addressProblem(ROOT)) : undefined;
if (obstacle !== undefined) {
  console.error(obstacle);
  process.exit(1);
}

const folder = mkdtempSync(join(tmpdir(), "tenterhook-release-"));
try {
  const manifests = publicPackages(ROOT);
  step(`Packing ${manifests.length} packages`);
  const tarballs = packAll(ROOT, manifests, folder);

  step("Checking their content");
  const problems = [...manifests.flatMap(manifestProblems), ...tarballs.flatMap(contentProblems)];
  if (problems.length > 0) throw new Error(problems.join("\n"));

  step("publint and arethetypeswrong");
  await inParallel(tarballs, async ({ file, manifest }) => {
    await tool("publint", "run", file, "--strict");
    // The command has no entry point to import, and all packages are modules only.
    if (manifest.exports !== undefined) await tool("attw", file, "--profile", "esm-only", "--quiet");
  });

  if (process.argv.includes("--content")) console.log("The tarballs have what they should have.");
  else await useAsUser(manifests, tarballs);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function useAsUser(manifests: readonly Manifest[], tarballs: readonly Tarball[]): Promise<void> {
  step("Installing them into an empty project");
  const project = join(folder, "project");
  installAll(project, tarballs);

  step("Importing every entry point");
  await importEntryPoints(project, manifests);

  step("Running the examples of their READMEs");
  for (const manifest of manifests) runReadmeExamples(project, manifest);

  step("Running the commands of the front page, as it will be published");
  const page = renderFrontPage(readFileSync(join(ROOT, TEMPLATE), "utf8"), "published");
  const home = join(folder, "home");
  mkdirSync(home);
  const surroundings = { cwd: project, env: readerEnvironment(home) };
  const commandProblems = await frontPageSteps(page, /^npx tenterhook up\b/, surroundings);
  if (commandProblems.length > 0) throw new Error(commandProblems.join("\n"));
  console.log("Everything can be installed, imported and used.");
  const problem = addressProblem(ROOT);
  if (problem !== undefined) console.warn(`Not ready to be published. ${problem}`);
}

function installAll(into: string, tarballs: readonly Tarball[]): void {
  mkdirSync(into);
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  execFileSync("npm", ["init", "--yes"], { cwd: into, stdio: "ignore" });
  execFileSync("npm", ["install", ...quiet, ...tarballs.map(({ file }) => file)], {
    cwd: into,
    stdio: "inherit",
  });
}

function step(what: string): void {
  console.log(`· ${what}`);
}

async function tool(name: string, ...args: readonly string[]): Promise<void> {
  const path = join(ROOT, "node_modules", ".bin", name);
  try {
    await promisify(execFile)(path, args, { cwd: ROOT });
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    throw new Error(`${name} ${args.join(" ")}\n${stdout ?? ""}${stderr ?? ""}`);
  }
}
