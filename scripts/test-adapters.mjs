// `npm run test:adapters`: the adapters with the frameworks that are not dependencies of the repository. Each folder of test/adapters has
// its own lockfile, and its tests run with this Node and with the Node 22 of `npm run test:nodes`, which some of the frameworks ask for.
// A folder for another version of a framework has no tests of its own: `testsOf` in its package.json names the folder that has them.
// `-- --without NAME` leaves a folder out, `-- --only NAME` takes one, `-- --one-node` runs them with this Node only.
import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("../", import.meta.url));
const folders = join(root, "test", "adapters");
/** The packages that tests import, as copies: a peer dependency is found beside the package that needs it. */
const PACKAGES = [
  "internal",
  "protocol",
  "commands",
  "engine",
  "file-hooks",
  "agent",
  "test-support",
  "adapters",
];

/** Folders at once: each installs, compiles and tests on one core most of the time. */
const AT_ONCE = 2;

/** Tests of the packages that a folder checks with its own version of the framework, too. */
const SHARED_TESTS = { "ai-sdk-7": ["packages/adapters/src/ai-sdk/with-hooks.test-d.ts"] };

const args = process.argv.slice(2);
const valuesOf = (option) => args.flatMap((arg, index) => (arg === option ? [args[index + 1]] : []));
const [without, only] = [valuesOf("--without"), valuesOf("--only")];
const names = readdirSync(folders).filter(
  (name) =>
    existsSync(join(folders, name, "package-lock.json")) &&
    !without.includes(name) &&
    (only.length === 0 || only.includes(name)),
);
const nodes = [process.execPath, ...(args.includes("--one-node") ? [] : [await findNode22()])];

let failed = 0;
const queue = [...names];
await Promise.all(Array.from({ length: AT_ONCE }, work));
if (failed > 0) {
  console.error(`${failed} failed.`);
  process.exitCode = 1;
}

async function work() {
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) await testFolder(name);
}

async function testFolder(name) {
  const folder = join(folders, name);
  const compile = [bin("typescript", "tsc"), "--noEmit", "-p", "."];
  if (!(await step(`${name}: install`, () => install(folder)))) return;
  if (!(await step(`${name}: types`, () => run(folder, process.execPath, compile)))) return;
  for (const node of nodes)
    if (!(await step(`${name}: tests, ${version(node)}`, () => vitest(folder, node)))) return;
}

/** Runs one step; what fails is named, and the other folders continue. */
async function step(title, operation) {
  const started = performance.now();
  try {
    await operation();
  } catch (error) {
    failed += 1;
    console.error(`✗ ${title}\n${String(error.stdout ?? "")}${String(error.stderr ?? error.message)}`);
    return false;
  }
  console.log(`✓ ${title} (${((performance.now() - started) / 1_000).toFixed(1)} s)`);
  return true;
}

/** `npm ci`, unless the lockfile is the one that was installed, and copies of the built packages and of another folder's tests. */
async function install(folder) {
  copyTests(folder);
  const modules = join(folder, "node_modules");
  const mark = join(modules, ".installed");
  const hash = createHash("sha256")
    .update(readFileSync(join(folder, "package-lock.json")))
    .digest("hex");
  if (!existsSync(mark) || readFileSync(mark, "utf8") !== hash) {
    await run(folder, "npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]);
    writeFileSync(mark, hash);
  }
  for (const name of PACKAGES) {
    const copy = join(modules, "@tenterhook", name);
    rmSync(copy, { recursive: true, force: true });
    mkdirSync(copy, { recursive: true });
    for (const part of ["package.json", "dist"])
      cpSync(join(root, "packages", name, part), join(copy, part), { recursive: true });
  }
}

/** Copies, because imports of a framework are resolved from the file that has them. */
function copyTests(folder) {
  for (const path of SHARED_TESTS[basename(folder)] ?? [])
    cpSync(join(root, path), join(folder, basename(path)));
  const { testsOf } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  if (testsOf === undefined) return;
  const isTest = (name) => /\.(ts|mjs)$/.test(name);
  for (const name of readdirSync(folder).filter(isTest)) rmSync(join(folder, name));
  const source = join(folders, testsOf);
  for (const name of readdirSync(source).filter(isTest)) cpSync(join(source, name), join(folder, name));
}

function vitest(folder, node) {
  const config = join(folders, "vitest.config.mjs");
  return run(folder, node, [bin("vitest", "vitest"), "run", "--root", folder, "--config", config]);
}

/** Rejects with what the program has printed, if it fails. */
async function run(folder, program, programArguments) {
  const running = promisify(execFile)(program, programArguments, { cwd: folder, maxBuffer: 1 << 26 });
  running.child.stdin?.end();
  await running;
}

function bin(packageName, program) {
  const folder = join(root, "node_modules", packageName);
  const { bin: programs } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return join(folder, typeof programs === "string" ? programs : programs[program]);
}

function version(node) {
  return `Node ${execFileSync(node, ["--version"], { encoding: "utf8" }).trim().slice(1)}`;
}

/** The Node 22 of `npm run test:nodes`. */
async function findNode22() {
  const modules = join(root, "test", "nodes", "dist", "nodes");
  const { installNode } = await import(join(modules, "install-node.js"));
  const { supportedVersions } = await import(join(modules, "supported-versions.js"));
  const packageName = `node-linux-${process.arch}`;
  const found = (await supportedVersions(packageName)).find(({ line }) => line === "22");
  if (found?.version === undefined) throw new Error(`Node 22 cannot be installed: ${found?.problem}`);
  return installNode(packageName, found.version);
}
