import { readOptions } from "./options.ts";

/** Runs the bridge from its bundle. `plain`: the `require` of the program. */
export async function startBridge(
  bundle: string,
  plain: NodeJS.Require,
  args: readonly string[],
): Promise<void> {
  try {
    // A path of its own, because the program may be in another folder than the bundle.
    const { runBridge } = plain(`${bundle}/main.js`) as typeof import("./main.ts");
    await runBridge(readOptions(args));
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
