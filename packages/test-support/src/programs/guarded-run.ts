import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { guardRun } from "../run-guard.ts";

// A run that is about to be killed: it has a temporary folder, and a process that would outlive it and ignores polite requests.
guardRun();
const folder = mkdtempSync(join(tmpdir(), "tenterhook-left-"));
const script = "trap '' TERM; echo ready; while :; do sleep 1; done";
const child = spawn("/bin/sh", ["-c", script], { detached: true, stdio: ["ignore", "pipe", "ignore"] });
child.stdout.once("data", () => {
  console.log(JSON.stringify({ folder, run: tmpdir(), pid: child.pid }));
});
