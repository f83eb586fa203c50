// Builds everything, and prints each step: a first build takes a minute or more, and tsc prints nothing.
import { spawnSync } from "node:child_process";

const STEPS = [
  ["compiles TypeScript, all packages", "tsc -b"],
  ["builds the page", "npm run build --silent -w @tenterhook/dashboard"],
  ["bundles the command", "node packages/cli/build.mjs"],
];

// Standard error, because standard output belongs to the script that builds first.
const start = performance.now();
for (const [index, [step, command]] of STEPS.entries()) {
  process.stderr.write(`build ${index + 1}/${STEPS.length}: ${step}\n`);
  // npm puts the programs of node_modules on the PATH.
  const { status } = spawnSync(command, { shell: true, stdio: "inherit" });
  if (status !== 0) {
    process.stderr.write(`build ${index + 1}/${STEPS.length}: failed: ${command}\n`);
    process.exit(status ?? 1);
  }
}
process.stderr.write(`build: done in ${((performance.now() - start) / 1000).toFixed(1)} s\n`);
