// `npm run lock:check` asks the registry for every native binding that the lockfile names. npm skips a binding that the registry lacks
// without a message, and the build fails later. It also reports packages whose content npm could not verify. It is plain JavaScript because it must run where `npm ci` fails.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { askRegistry } from "./lock/ask-registry.mjs";
import { findOmissions, findUnchecked, readBindings } from "./lock/bindings.mjs";

const [lockfile = fileURLToPath(new URL("../package-lock.json", import.meta.url))] = process.argv.slice(2);
const packages = readPackages(lockfile);
const unchecked = findUnchecked(packages);
if (unchecked.length > 0) {
  console.error(`npm cannot verify what it installs:\n${list(unchecked)}`);
  console.error("Lock versions that the registry has for every system, then run `npm install`.");
}
const { errors, outage, warnings, checked } = await check(packages);
if (warnings.length > 0) console.warn(`Warning, for macOS and Windows only:\n${list(warnings)}`);
if (errors.length > 0) {
  console.error(`The lockfile cannot be used on Linux x64 and arm64:\n${list(errors)}`);
  console.error(
    "Lock versions whose bindings the registry has; `npm ci` would skip a missing one without a message.",
  );
}
if (outage !== undefined) console.error(outage);
if (unchecked.length > 0 || errors.length > 0 || outage !== undefined) process.exitCode = 1;
else console.log(`The registry has the ${checked} bindings that the lockfile names for Linux x64 and arm64.`);

async function check(packages) {
  const omissions = findOmissions(packages);
  const bindings = readBindings(packages);
  const required = bindings.filter((binding) => binding.required);
  const cache = mkdtempSync(join(tmpdir(), "tenterhook-lock-"));
  try {
    const responses = await askRegistry(required, cache);
    const outage = findOutage(responses);
    // Other systems only give a warning, which is not worth waiting for a registry that does not respond.
    const others = outage !== undefined ? [] : bindings.filter((binding) => !binding.required);
    const problems = [
      ...omissions,
      ...[...responses, ...(await askRegistry(others, cache))].flatMap(findProblem),
    ];
    return {
      errors: problems.filter((problem) => problem.required).map(({ text }) => text),
      outage,
      warnings: problems.filter((problem) => !problem.required).map(({ text }) => text),
      checked: required.length,
    };
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
}

function findProblem({ asked: { name, version, system, integrity, required }, response }) {
  const binding = `${name}@${version} (${system})`;
  if (response.type === "missing") return { required, text: `${binding}: the registry does not have it` };
  if (response.type === "found" && (integrity === undefined || response.integrity !== integrity))
    return {
      required,
      text: `${binding}: the lockfile's integrity is ${integrity ?? "absent"}, the registry's is ${response.integrity ?? "absent"}`,
    };
  return [];
}

/** One message for all packages that the registry gave no response about. */
function findOutage(responses) {
  const unanswered = responses.filter(({ response }) => response.type === "unreachable");
  if (unanswered.length === 0) return undefined;
  const codes = [...new Set(unanswered.map(({ response }) => response.code))].join(", ");
  const counts = `${unanswered.length} of ${responses.length} bindings`;
  return `The registry could not be asked about ${counts} (${codes}). Try \`npm ping\`, then repeat the check.`;
}

function list(lines) {
  return lines.map((line) => `  ${line}.`).join("\n");
}

function readPackages(path) {
  const packages = parse(path).packages;
  if (typeof packages === "object" && packages !== null) return packages;
  return fail(`${path} has no "packages". Write it with npm 7 or later.`);
}

function parse(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    return fail(`${path} cannot be read: ${error.message}`);
  }
}

function fail(text) {
  console.error(text);
  process.exit(1);
}
