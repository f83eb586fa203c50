// A runner in a process of its own: `node runner.mjs OPTIONS`. Says how the coordinator knows it.
import { Runner } from "@tenterhook/runner";

const runner = new Runner(JSON.parse(process.argv[2] ?? "{}"));
await runner.start();
console.log(JSON.stringify({ id: runner.id }));
// Whoever started it has gone.
process.stdin.resume().once("end", () => process.exit());
