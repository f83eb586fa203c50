// Builds everything, and prints each step: a first build takes a minute or more, and tsc prints nothing.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { readPage } from "./build/page-stamp.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));

const STEPS = [
  { title: "compiles TypeScript, all packages", command: "tsc -b" },
  {
    title: "builds the page",
    command: "npm run build --silent -w @tenterhook/dashboard",
    read: () => readPage(root),
  },
  { title: "bundles the command", command: "node packages/cli/build.mjs" },
];

// `.ci/run` builds once, by `npm ci`, and nothing changes between its steps.
if (process.env.TENTERHOOK_BUILT === "1") process.exit(0);

// Standard error, because standard output belongs to the script that builds first.
const start = performance.now();
for (const [index, { title, command, read }] of STEPS.entries()) {
  const name = `build ${index + 1}/${STEPS.length}`;
  const result = read?.();
  if (result?.isBuilt === true) {
    process.stderr.write(`${name}: ${title}: nothing has changed\n`);
    continue;
  }
  process.stderr.write(`${name}: ${title}\n`);
  // npm puts the programs of node_modules on the PATH.
  const { status } = spawnSync(command, { shell: true, stdio: "inherit" });
  if (status !== 0) {
    process.stderr.write(`${name}: failed: ${command}\n`);
    process.exit(status ?? 1);
  }
  result?.stamp();
}
process.stderr.write(`build: done in ${((performance.now() - start) / 1000).toFixed(1)} s\n`);
