// A runner in a process of its own: `node runner.mjs OPTIONS`. Prints when it is ready, and when it ends.
import { drainOnSignals, Runner } from "@tenterhook/runner";

const runner = new Runner(JSON.parse(process.argv[2] ?? "{}"));
drainOnSignals(runner);
await runner.start();
console.log("started");
