import { cachedRequire } from "./cached-require.ts";
import { cacheFolder, runBridge } from "./main.ts";

// biome-ignore lint/style/useConst: it is declared by Node, and assigned below.
declare let require: NodeJS.Require;

// Loaded for `tenterhook bridge`, and started by itself from the folder that `install` copies it to.
const [, , word, ...rest] = process.argv;
const args = word === "bridge" || word === undefined ? rest : [word, ...rest];
// What this bundle loads later, it loads through this.
require = cachedRequire(require, __dirname, () => cacheFolder(args));
void runBridge(args);
