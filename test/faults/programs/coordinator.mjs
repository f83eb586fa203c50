// A coordinator in a process of its own: `node coordinator.mjs OPTIONS`. Prints its address.
import { serveCoordinator } from "@tenterhook/coordinator";

const { url, token } = await serveCoordinator(JSON.parse(process.argv[2] ?? "{}"));
console.log(JSON.stringify({ url, token }));
// The process that started this one has ended.
process.stdin.resume().once("end", () => process.exit());
