import { engineSuite } from "./engine/suite.ts";
import type { Suite } from "./measure.ts";
import { standing, table } from "./report.ts";

const suites: Record<string, Suite> = { engine: engineSuite };

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in suites));
if (unknown.length > 0) {
  console.error(`No such suite: ${unknown.join(", ")}. There are: ${Object.keys(suites).join(", ")}.`);
  process.exit(1);
}

let failed = 0;
for (const [name, suite] of Object.entries(suites)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const rows = await suite();
  failed += rows.filter((row) => standing(row) === "failed").length;
  console.log(`${name}: best of many interleaved rounds, node ${process.versions.node}\n\n${table(rows)}\n`);
}
if (failed > 0) {
  console.error(`${failed} bars were missed by more than a third.`);
  process.exitCode = 1;
}
