import { startBridge } from "./start-bridge.ts";

// Started from the folder that `install` copies the bundle to. A job of the bridge names its command too.
const [, , word, ...rest] = process.argv;
void startBridge(__dirname, require, word === "bridge" || word === undefined ? rest : [word, ...rest]);
