import { fileURLToPath } from "node:url";
import { inspect } from "node:util";
import { guardRun } from "@tenterhook/test-support";
import type { Row, Suite } from "./measure.ts";
import { type CaseFailure, type CaseMessage, measureCase } from "./measure-case.ts";
import { line, resultOf, table } from "./report.ts";

type Suites = Readonly<Record<string, Suite>>;

/**
 * Measures the suites that the command line names, by default all, and prints the table. A case that fails is reported, and the
 * others are measured all the same; the exit code says so at the end. `program` is the module that calls this: it is started again
 * for each case.
 */
export async function runBenchmark(program: string, suites: Suites): Promise<void> {
  guardRun();
  const [first, ...rest] = process.argv.slice(2);
  if (first === "--case") await runCase(suites, rest[0] ?? "", rest[1] ?? "");
  else await runSuites(fileURLToPath(program), suites, process.argv.slice(2));
}

async function runCase(suites: Suites, suite: string, name: string): Promise<void> {
  const measureRows = suites[suite]?.[name];
  if (measureRows === undefined) throw new Error(`There is no case ${suite}/${name}.`);
  const measured = await measureRows().then(
    (rows): CaseMessage => ({ rows }),
    (error: unknown): CaseMessage => ({ error: inspect(error) }),
  );
  // A case that failed may have left servers that would keep this process running.
  process.send?.(measured, () => "error" in measured && process.exit(1));
}

async function runSuites(program: string, suites: Suites, names: readonly string[]): Promise<void> {
  const unknown = names.filter((name) => !(name in suites));
  if (unknown.length > 0) {
    console.error(`Unknown suite: ${unknown.join(", ")}. Known: ${Object.keys(suites).join(", ")}.`);
    process.exitCode = 1;
    return;
  }
  const rows: Row[] = [];
  const failures: CaseFailure[] = [];
  for (const [suite, cases] of Object.entries(suites)) {
    if (names.length > 0 && !names.includes(suite)) continue;
    for (const name of Object.keys(cases)) {
      const measured = await measureCase(program, suite, name);
      if ("error" in measured) {
        failures.push(measured);
        console.log(failureText(measured).split("\n", 1)[0]);
        continue;
      }
      for (const row of measured.rows) console.log(line(row));
      rows.push(...measured.rows);
    }
  }
  console.log(`\nBest of many interleaved rounds, node ${process.versions.node}\n\n${table(rows)}`);
  summarise(rows, failures);
}

function summarise(rows: readonly Row[], failures: readonly CaseFailure[]): void {
  const missed = rows.filter((row) => resultOf(row) === "failed").length;
  if (missed > 0) console.error(`\n${missed} of ${rows.length} bars were missed by more than a third.`);
  if (failures.length > 0) {
    const count = failures.length === 1 ? "1 case" : `${failures.length} cases`;
    console.error(`\n${count} could not be measured, and the table lacks their rows:`);
    for (const failure of failures) console.error(failureText(failure));
  }
  if (missed + failures.length > 0) process.exitCode = 1;
}

function failureText({ suite, name, error }: CaseFailure): string {
  return `${suite}/${name} failed: ${error.replaceAll("\n", "\n  ")}`;
}
