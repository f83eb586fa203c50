import { cachedRequire, keepCompiled } from "./cached-require.ts";
import { cacheFolder } from "./options.ts";

// biome-ignore lint/style/useConst: it is declared by Node, and assigned below.
declare let require: NodeJS.Require;

// Loaded for `tenterhook bridge`, and started by itself from the folder that `install` copies it to.
const [, , word, ...rest] = process.argv;
const args = word === "bridge" || word === undefined ? rest : [word, ...rest];
// What this bundle loads, it loads through this.
require = cachedRequire(require, __dirname, () => cacheFolder(args));
void import("./main.ts").then(({ runBridge }) => runBridge(args, keepCompiled));
