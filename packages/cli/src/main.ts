import { writeSync } from "node:fs";

/** Put in by the bundler, so that nothing is read to tell it. */
declare const TENTERHOOK_VERSION: string;

// Everything but the version is a chunk of its own: people and scripts ask for the version all the time.
const words = process.argv.slice(2);
if (["--version", "-v", "-V"].includes(words[0] ?? "")) writeSync(1, `${TENTERHOOK_VERSION}\n`);
// A tool call waits for the bridge: it has a folder of its own, and does without everything that the other verbs share.
else if (words[0] === "bridge" && (words.includes("--client") || words.includes("--job")))
  require("./bridge/bridge.js");
else void import("./command.ts").then(({ command }) => command(words));
