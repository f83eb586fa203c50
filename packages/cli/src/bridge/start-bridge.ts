import { cachedRequire, keepCompiled } from "./cached-require.ts";
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
    await runBridge(options, keepCompiled);
  } catch (error) {
    answerWithoutBridge(bundle, args, error);
  }
}

/** A part of the bundle is missing: the hook script that `install` wrote answers instead. */
function answerWithoutBridge(bundle: string, args: readonly string[], error: unknown): void {
  // On Windows the script has started this process, and answers when this one fails.
  if (process.platform === "win32" && args.includes("--home")) process.exit(1);
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const { status } = spawnSync(`${bundle}/../hook`, ["--gone", ...args], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (status === null) process.stderr.write(`tenterhook: the bridge failed: ${String(error)}\n`);
  process.exit(status ?? 2);
}
