import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { type Installation, type InstallRecord, isProgram, isWholeBundle } from "@tenterhook/bridges/install";
import { findFolderProblem, isResident, readAbout, residentFiles } from "@tenterhook/bridges/resident";
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
  const [folder, perl] = [pinned("resident_folder"), pinned("resident_perl")];
  return { findings, ...(folder !== "" && { notes: [describeResident(folder, perl)] }) };
}

/** How calls are answered now, where the script asks a resident process. */
function describeResident(folder: string, perl: string): string {
  if (!isProgram(perl)) return `every call starts Node: perl is gone from ${perl}`;
  const cold = (why: string) => `no resident process runs, so a call starts Node: ${why}`;
  if (!existsSync(folder)) return cold("the next call starts one");
  const problem = findFolderProblem(folder, process.getuid?.() ?? -1);
  if (problem !== undefined) return cold(problem);
  const about = readAbout(residentFiles(folder));
  return about !== undefined && isResident(about.pid, folder)
    ? `the resident process ${about.pid} answers calls from outside of sandboxes`
    : cold("the next call starts one");
}

/** A word of a POSIX shell without its single quotes. */
function unquoted(text: string): string {
  return text.startsWith("'") ? text.slice(1, -1).replaceAll("'\\''", "'") : text;
}
