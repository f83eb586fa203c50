import { cachedRequire } from "./cached-require.ts";
import { cacheFolder, runBridge } from "./main.ts";

// biome-ignore lint/style/useConst: it is declared by Node, and assigned below.
declare let require: NodeJS.Require;

// Loaded for `tenterhook bridge`, and started by itself from the folder that `install` copies it to.
const [, , word, ...rest] = process.argv;
const args = word === "bridge" || word === undefined ? rest : [word, ...rest];
// What this bundle loads later, it loads through this.
require = cachedRequire(require, __dirname, () => cacheFolder(args));
runBridge(args).catch(answerAsGone);

/** A part of this bundle is missing: what `install` wrote beside it answers as if all of it were. */
function answerAsGone(error: unknown): void {
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const { status } = spawnSync(`${__dirname}/../hook`, ["--gone", ...args], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (status === null) throw error;
  process.exit(status);
}
