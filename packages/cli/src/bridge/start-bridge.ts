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
    // A part of the bundle is missing or damaged. The installed script answers when it finds no complete answer; without it, this refuses.
    process.stderr.write(`tenterhook: the bridge failed: ${String(error)}\n`);
    process.exit(args.includes("--wrapper") ? 1 : 2);
  }
}
