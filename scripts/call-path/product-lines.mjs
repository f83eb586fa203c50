import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** The packages of what one program runs. */
const PACKAGES = ["engine", "agent", "adapters"];

/** The lines of the packages that run an agent with hooks: committed code without tests, what tests use, and generated files. */
export function countProductLines() {
  return PACKAGES.map((name) => ({ name, count: countLines(`packages/${name}`) }));
}

function countLines(folder) {
  const files = execFileSync("git", ["ls-files", folder], { cwd: ROOT, encoding: "utf8" }).split("\n");
  return files
    .filter((file) => /\.(ts|tsx|mjs|js)$/.test(file))
    .filter((file) => !/\.test\.ts$|\.test-d\.ts$|\/testing\/|\/generated\/|sdk\.d\.ts$/.test(file))
    .filter((file) => existsSync(`${ROOT}${file}`))
    .reduce((sum, file) => sum + readFileSync(`${ROOT}${file}`, "utf8").split("\n").length - 1, 0);
}
