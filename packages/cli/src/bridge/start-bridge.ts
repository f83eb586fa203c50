import { cachedRequire, storeCompiled } from "./cached-require.ts";
import { cacheFolder, readOptions } from "./options.ts";

/** Runs the bridge from its bundle. `plain`: the `require` of the program. */
export async function startBridge(
  bundle: string,
  plain: NodeJS.Require,
  args: readonly string[],
): Promise<void> {
  try {
    const options = readOptions(args);
    const load = cachedRequire(plain, bundle, cacheFolder(options));
    const { runBridge } = load("./main.js") as typeof import("./main.ts");
    await runBridge(options, storeCompiled);
  } catch (error) {
    // A part of the bundle is missing or damaged. The installed script answers when it finds no complete answer; without it, this refuses.
    process.stderr.write(`tenterhook: the bridge failed: ${String(error)}\n`);
    process.exit(args.includes("--wrapper") ? 1 : 2);
  }
}
