// Runs the engine's conformance rows, without a test runner. Prints what differs, and ends with 1 if anything does.
import { DISPATCH_CASES } from "../../conformance/dispatch-cases.ts";
import { EVENT_CASES } from "../../conformance/event-rows.ts";
import { runCase, STYLES } from "../../conformance/run-case.ts";

const rows = [...EVENT_CASES, ...DISPATCH_CASES];
let count = 0;
for (const [style, how] of Object.entries(STYLES)) {
  for (const row of rows) {
    count += 1;
    for (const difference of await runCase(row, how)) {
      console.error(`${style}: ${row.name}: ${difference}`);
      process.exitCode = 1;
    }
  }
}
console.log(`${count} rows`);
