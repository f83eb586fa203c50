// A runner in a process of its own: `node runner.mjs OPTIONS`. Prints its runner id.
import { Runner } from "@tenterhook/runner";

const runner = new Runner(JSON.parse(process.argv[2] ?? "{}"));
await runner.start();
console.log(JSON.stringify({ id: runner.id }));
// The process that started this one has ended.
process.stdin.resume().once("end", () => process.exit());
