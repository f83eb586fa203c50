import { writeSync } from "node:fs";
import { startBridge } from "./bridge/start-bridge.ts";

/** Replaced by the bundler, so that no file is read for it. */
declare const TENTERHOOK_VERSION: string;

// Everything but the version is a separate chunk, because scripts often ask for the version.
const args = process.argv.slice(2);
if (["--version", "-v", "-V"].includes(args[0] ?? "")) writeSync(1, `${TENTERHOOK_VERSION}\n`);
// A tool call waits for the bridge, so it is a separate bundle without the code that other commands share.
else if (args[0] === "bridge" && (args.includes("--client") || args.includes("--job")))
  void startBridge(`${__dirname}/bridge`, require, args.slice(1));
else void import("./run-command.ts").then(({ runCommand }) => runCommand(args));
