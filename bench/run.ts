// `npm run bench [suite…]` prints the table. Every case runs in its own process, so that optimisations of one case do not
// affect the next.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { guardRun } from "@tenterhook/test-support";
import { agentSuite } from "./agent/suite.ts";
import { cliSuite } from "./cli/suite.ts";
import { coordinatorSuite } from "./coordinator/suite.ts";
import { engineSuite } from "./engine/suite.ts";
import { fileHooksSuite } from "./file-hooks/suite.ts";
import type { Row, Suite } from "./measure.ts";
import { line, resultOf, table } from "./report.ts";

const suites: Readonly<Record<string, Suite>> = {
  engine: engineSuite,
  "file-hooks": fileHooksSuite,
  agent: agentSuite,
  coordinator: coordinatorSuite,
  cli: cliSuite,
};

guardRun();
const [first, ...rest] = process.argv.slice(2);
if (first === "--case") await runCase(rest[0] ?? "", rest[1] ?? "");
else await runSuites(process.argv.slice(2));

async function runCase(suite: string, name: string): Promise<void> {
  const rows = await suites[suite]?.[name]?.();
  console.log(JSON.stringify(rows ?? []));
}

async function runSuites(wanted: readonly string[]): Promise<void> {
  const unknown = wanted.filter((name) => !(name in suites));
  if (unknown.length > 0) {
    console.error(`Unknown suite: ${unknown.join(", ")}. Known: ${Object.keys(suites).join(", ")}.`);
    process.exit(1);
  }
  const rows: Row[] = [];
  for (const [suite, cases] of Object.entries(suites)) {
    if (wanted.length > 0 && !wanted.includes(suite)) continue;
    for (const name of Object.keys(cases)) {
      const found = await inOwnProcess(suite, name);
      for (const row of found) console.log(line(row));
      rows.push(...found);
    }
  }
  console.log(`\nBest of many interleaved rounds, node ${process.versions.node}\n\n${table(rows)}`);
  const failed = rows.filter((row) => resultOf(row) === "failed").length;
  if (failed === 0) return;
  console.error(`\n${failed} of ${rows.length} bars were missed by more than a third.`);
  process.exitCode = 1;
}

async function inOwnProcess(suite: string, name: string): Promise<readonly Row[]> {
  const program = fileURLToPath(import.meta.url);
  const { stdout } = await promisify(execFile)(process.execPath, [program, "--case", suite, name]);
  return JSON.parse(stdout) as Row[];
}
