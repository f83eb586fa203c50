import { cachedRequire, storeCompiled } from "./cached-require.ts";
import { cacheFolder, readOptions } from "./options.ts";

/** Runs the bridge from its bundle. `plain`: the `require` of the program. */
export async function startBridge(
  bundle: string,
  plain: NodeJS.Require,
  args: readonly string[],
): Promise<void> {
  try {
    if (args[0] === "daemon") return await runDaemon(bundle, plain, args.slice(1));
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

/** The part of the bundle that is the resident process. */
interface DaemonModule {
  runDaemon(bundle: string, args: readonly string[]): Promise<void>;
}

/** Runs the resident process. No client waits for its start, so its code is not cached. */
function runDaemon(bundle: string, plain: NodeJS.Require, args: readonly string[]): Promise<void> {
  return (plain(`${bundle}/run-daemon.js`) as DaemonModule).runDaemon(bundle, args);
}
