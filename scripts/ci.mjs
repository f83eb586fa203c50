// `.ci/run` checks a change; `npm run test:full` (`--full`) is that and what need not run at each change: every night, and before a release.
// Plain JavaScript, because it begins before `npm ci`. A step that fails is named, and the later ones run: one run shows all that is wrong.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** A step is run at each change, in the full run only, or at each change in a smaller form. */
const STEPS = [
  // Before `npm ci`, which skips a native binding that the registry lacks.
  { full: "npm run lock:check" },
  { each: "npm ci", isRequired: true },
  { each: "npm run browser:install" },
  { each: "npm run lint" },
  { each: "npm run generate:check" },
  { each: "npm test" },
  { each: "npm run test:command" },
  { each: "npm run test:store" },
  { each: "npm run test:page" },
  { each: "npm run test:nodes -- --bridge-on-newest", full: "npm run test:nodes" },
  {
    each: "npm run test:adapters -- --one-node --without claude-agent-sdk --without strands-1.16",
    full: "npm run test:adapters",
  },
  { each: "npm run test:fuzz" },
  { each: "npm run test:faults" },
  { full: "npm run test:nightly" },
  { full: "npm run test:first-steps" },
  { each: "npm run release:check -- --content", full: "npm run release:check" },
];

const isFull = process.argv.includes("--full");
const commands = STEPS.flatMap(({ each, full, isRequired = false }) => {
  const command = isFull ? (full ?? each) : each;
  return command === undefined ? [] : [{ command, isRequired }];
});
if (process.argv.includes("--list")) for (const { command } of commands) console.log(command);
else run();

function run() {
  const results = [];
  const startedAt = performance.now();
  for (const { command, isRequired } of commands) {
    const result = runStep(command);
    results.push(result);
    if (isRequired && !result.hasPassed) break;
  }
  report(results, performance.now() - startedAt);
}

function runStep(command) {
  console.log(`\n▶ ${command}`);
  const startedAt = performance.now();
  const cwd = fileURLToPath(new URL("../", import.meta.url));
  // `npm ci` builds, and no later step has to.
  const env = command === "npm ci" ? process.env : { ...process.env, TENTERHOOK_BUILT: "1" };
  const stdio = ["ignore", "inherit", "inherit"];
  const { status } = spawnSync(command, { cwd, env, shell: true, stdio });
  return { command, hasPassed: status === 0, milliseconds: performance.now() - startedAt };
}

function report(results, milliseconds) {
  const failed = results.filter(({ hasPassed }) => !hasPassed).length;
  const notRun = commands.slice(results.length).map(({ command }) => `  not run    ${command}`);
  const lines = results.map(
    (result) => `${result.hasPassed ? "✓" : "✗"} ${formatTime(result.milliseconds)}  ${result.command}`,
  );
  console.log(`\n${[...lines, ...notRun, `  ${formatTime(milliseconds)}  in all`].join("\n")}\n`);
  console.log(`${results.length - failed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
}

function formatTime(milliseconds) {
  const seconds = Math.round(milliseconds / 1_000);
  return `${String(Math.floor(seconds / 60)).padStart(3)} min ${String(seconds % 60).padStart(2, "0")}`;
}
