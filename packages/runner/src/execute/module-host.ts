import { text } from "node:stream/consumers";
import { messageOf, readField } from "@tenterhook/internal";
import { moduleUrl } from "../machine/module-url.ts";

// A program of its own: calls the default export of a module with the parameters from standard input, and prints what it returns.
// A module that logs must not spoil its result, so everything else that is printed goes to standard error.
const print = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write;

// A runner that was killed cannot end its processes, and its runs may start on another machine.
const { ppid } = process;
setInterval(() => process.ppid === ppid || process.exit(1), 500).unref();

try {
  const [module = "", baseDir = ""] = process.argv.slice(2);
  const loaded = (await import(moduleUrl(module, baseDir))) as { readonly default?: unknown };
  if (typeof loaded.default !== "function")
    throw new Error("the module has no function as its default export");
  const parameters: unknown = JSON.parse(await text(process.stdin));
  const result: unknown = await loaded.default(parameters);
  // After the result has been read, and whatever the module may have left open.
  print(JSON.stringify(result ?? null), () => process.exit(0));
} catch (error) {
  const stack = readField(error, "stack");
  process.stderr.write(`${typeof stack === "string" ? stack : messageOf(error)}\n`, () => process.exit(1));
}
