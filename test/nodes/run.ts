// `npm run test:nodes`: what must work with every supported version of Node, by that Node alone, without a test runner.
// `-- --bridge-on-newest` checks one thing only: that a guard holds on the newest, whose changes have let calls pass before.
import { guardRun } from "@tenterhook/test-support/run-guard";
import { BRIDGE_CHECK, CHECKS, type Check } from "./checks/index.ts";
import { installNode } from "./install-node.ts";
import { NodeSandbox } from "./node-sandbox.ts";
import { type SupportedVersion, supportedVersions } from "./supported-versions.ts";

/** Checks start several processes, and two cores are busy with two versions. */
const AT_ONCE = 2;

const { platform, arch } = process;
if (platform !== "linux" || (arch !== "x64" && arch !== "arm64")) {
  console.error(`npm has packages of Node for Linux x64 and arm64 only; this is ${platform} ${arch}.`);
  process.exit(1);
}
guardRun();

const packageName = `node-linux-${arch}`;
const isBridgeOnly = process.argv.includes("--bridge-on-newest");
const checks: Readonly<Record<string, Check>> = isBridgeOnly
  ? { [BRIDGE_CHECK]: CHECKS[BRIDGE_CHECK] }
  : CHECKS;
const versions = await supportedVersions(packageName);
const queue = isBridgeOnly ? versions.slice(-1) : [...versions];
let failed = 0;
await Promise.all(Array.from({ length: AT_ONCE }, work));
if (failed > 0) {
  console.error(`${failed} failed.`);
  process.exitCode = 1;
}

async function work(): Promise<void> {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) await test(next);
}

async function test(supported: SupportedVersion): Promise<void> {
  const { line } = supported;
  if ("problem" in supported) return fail(`Node ${line} cannot be installed: ${supported.problem}`);
  let node: string;
  try {
    node = await installNode(packageName, supported.version);
  } catch (error) {
    return fail(`Node ${supported.version} cannot be installed: ${read(error)}`);
  }
  for (const [name, check] of Object.entries(checks)) {
    const started = performance.now();
    const title = `Node ${supported.version}: ${name}`;
    try {
      const counted = await check(new NodeSandbox(node));
      const seconds = ((performance.now() - started) / 1_000).toFixed(1);
      console.log(`✓ ${title} (${counted === undefined ? "" : `${counted}, `}${seconds} s)`);
    } catch (error) {
      fail(`${title}\n${read(error).replaceAll(/^/gm, "    ")}`);
    }
  }
}

function fail(text: string): void {
  failed += 1;
  console.error(`✗ ${text}`);
}

function read(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
