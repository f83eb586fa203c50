// A runner in a process of its own: `node runner.mjs OPTIONS`. Says on standard output that it is there, and that it ends.
import { drainOnSignals, Runner } from "@tenterhook/runner";

const runner = new Runner(JSON.parse(process.argv[2] ?? "{}"));
drainOnSignals(runner);
await runner.start();
console.log("started");
