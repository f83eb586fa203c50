import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { type Installation, type InstallRecord, isWholeBundle } from "@tenterhook/bridges/install";
import { typedCommand } from "@tenterhook/internal";
import { formatPath } from "../format-hook.ts";
import type { DoctorFinding, StepResult } from "./finding.ts";

/** Checks that the files that clients start exist, are complete and have this version. */
export function checkInstallation(
  installation: Installation,
  record: InstallRecord,
  version: string,
): StepResult {
  const fix = `Run: ${typedCommand()} install`;
  if (!existsSync(installation.hook)) {
    const isMissed = record.files.length > 0;
    const problem = isMissed
      ? `${formatPath(installation.hook)} is gone, so coding agents cannot start it`
      : "nothing is installed, so no coding agent enforces hooks";
    return { findings: [{ problem, fix }] };
  }
  const text = readFileSync(installation.hook, "utf8");
  const pinned = (name: string) =>
    unquoted(new RegExp(`^${name}=(.*(?:\\n(?!\\w+=|unset |if ).*)*)$`, "m").exec(text)?.[1] ?? "");
  const findings: DoctorFinding[] = [];
  const [node, bridge] = [pinned("node"), pinned("bridge")];
  if (!existsSync(node)) findings.push({ problem: `node is gone from ${node}`, fix });
  if (!isWholeBundle(dirname(bridge)))
    findings.push({ problem: `the bridge in ${formatPath(dirname(bridge))} is gone or damaged`, fix });
  if (record.tenterhook !== version)
    findings.push({
      problem: `tenterhook ${record.tenterhook || "of another version"} is installed, and this is ${version}`,
      fix,
    });
  if (record.resident !== undefined)
    findings.push({
      problem:
        "it was installed by an earlier version, which keeps a process in the background to answer calls",
      fix,
    });
  return { findings };
}

/** A word of a POSIX shell without its single quotes. */
function unquoted(text: string): string {
  return text.startsWith("'") ? text.slice(1, -1).replaceAll("'\\''", "'") : text;
}
