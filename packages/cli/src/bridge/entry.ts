import { cachedRequire, keepCompiled } from "./cached-require.ts";
import { cacheFolder } from "./options.ts";

// biome-ignore lint/style/useConst: it is declared by Node, and assigned below.
declare let require: NodeJS.Require;

// Loaded for `tenterhook bridge`, and started by itself from the folder that `install` copies it to.
const [, , word, ...rest] = process.argv;
const args = word === "bridge" || word === undefined ? rest : [word, ...rest];
// What this bundle loads, it loads through this.
require = cachedRequire(require, __dirname, () => cacheFolder(args));
import("./main.ts").then(({ runBridge }) => runBridge(args, keepCompiled)).catch(answerAsGone);

/** A part of this bundle is missing: what `install` wrote beside it answers as if all of it were. */
function answerAsGone(error: unknown): void {
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  // Node starts a file of commands by a shell only.
  const isWindows = process.platform === "win32";
  const hook = isWindows ? `"${__dirname}\\..\\hook.cmd"` : `${__dirname}/../hook`;
  const { status } = spawnSync(hook, ["--gone", ...args], {
    stdio: ["ignore", "inherit", "inherit"],
    shell: isWindows,
  });
  if (status === null) process.stderr.write(`tenterhook: the bridge failed: ${String(error)}\n`);
  process.exit(status ?? 2);
}
