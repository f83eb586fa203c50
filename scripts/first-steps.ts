// `npm run test:first-steps` does what a new reader does: it clones the repository into a temporary folder, and runs
// the commands of the README and of the tutorial there, word for word. It needs the npm registry, and `script` of util-linux for a
// terminal. `npm ci && npm test` is what `.ci/run` runs.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { frontPageSteps, pageSteps } from "./first-steps/front-page-steps.ts";
import { readCommands } from "./first-steps/page-commands.ts";
import { readerEnvironment } from "./first-steps/reader-environment.ts";
import { readVariant, renderFrontPage, TEMPLATE } from "./generate/front-page.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

const startedAt = performance.now();
const folder = mkdtempSync(join(tmpdir(), "tenterhook-first-steps-"));
try {
  const cwd = join(folder, "tenterhook");
  const page = (name: string) => readFileSync(join(cwd, name), "utf8");

  step("Cloning the last commit");
  if (git("status", "--porcelain") !== "")
    console.log("  Changes that are not committed are not part of the clone.");
  git("clone", "--quiet", ROOT, cwd);

  step("The README, beginning with npm ci && npm start");
  const readme = page("README.md");
  const forClone = readVariant(readme) === "clone" ? readme : renderFrontPage(page(TEMPLATE), "clone");
  const atFrontPage = { cwd, env: newHome("front-page") };
  const problems = [...(await frontPageSteps(forClone, /^npm ci && npm start\b/, atFrontPage))];

  step("The tutorial, for a reader who begins there");
  const tutorial = readCommands(page("docs/getting-started.md"));
  problems.push(...(await pageSteps(tutorial, { cwd, env: newHome("tutorial") })));

  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  if (problems.length === 0) console.log(`Every command does what its page shows (${seconds} s).`);
  else {
    console.error(
      `\n${problems.join("\n\n")}\n\n${problems.length} of the commands failed or printed something else. Fix the command or its page.`,
    );
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function newHome(name: string): Readonly<Record<string, string>> {
  const home = join(folder, name);
  mkdirSync(home);
  return readerEnvironment(home);
}

function git(...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: ROOT, encoding: "utf8" });
}

function step(what: string): void {
  console.log(`· ${what}`);
}
