import { cachedRequire, keepCompiled } from "./cached-require.ts";
import { cacheFolder } from "./options.ts";

// biome-ignore lint/style/useConst: it is declared by Node, and assigned below.
declare let require: NodeJS.Require;

// Loaded for `tenterhook bridge`, and started by itself from the folder that `install` copies it to.
const [, , word, ...rest] = process.argv;
const args = word === "bridge" || word === undefined ? rest : [word, ...rest];
// All loads of this bundle use this.
require = cachedRequire(require, __dirname, () => cacheFolder(args));
import("./main.ts").then(({ runBridge }) => runBridge(args, keepCompiled)).catch(answerWithoutBridge);

/** A part of this bundle is missing: the hook script that `install` wrote answers instead. */
function answerWithoutBridge(error: unknown): void {
  // On Windows the script has started this process, and answers when this one fails.
  if (process.platform === "win32" && args.includes("--home")) process.exit(1);
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const { status } = spawnSync(`${__dirname}/../hook`, ["--gone", ...args], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (status === null) process.stderr.write(`tenterhook: the bridge failed: ${String(error)}\n`);
  process.exit(status ?? 2);
}
