import { runBridge } from "./main.ts";

// The file that the command loads for `tenterhook bridge`, and nothing else of it.
void runBridge(process.argv.slice(3));
