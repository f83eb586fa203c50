import { statSync } from "node:fs";
import { hookFileIn } from "@tenterhook/file-hooks/discover";
import { type EntryPoint, findEntryPoint } from "@tenterhook/file-hooks/run";
import { messageOf } from "@tenterhook/internal";
import type { Finding, HookFile } from "@tenterhook/protocol";
import { answerFindings } from "./answer-findings.ts";
import { startHere } from "./start-here.ts";

/** Problems of a hook's script, found without running it. */
export function scriptFindings(
  folder: string,
  hook: Pick<HookFile, "action" | "metadata">,
): readonly Finding[] {
  const { action } = hook;
  const file = hookFileIn(folder);
  const entry = findEntryPoint(folder);
  if (action !== undefined) {
    if (typeof entry === "string") return [];
    return [
      {
        severity: "warning",
        file: entry.script,
        message: `it never runs, because the HOOK.md has action: ${action.type}`,
      },
    ];
  }
  if (typeof entry === "string")
    return [{ severity: "warning", file, message: `every call fails: ${entry}` }];
  try {
    return [...entryFindings(entry, folder, hook), ...answerFindings(entry.script)];
  } catch (error) {
    return [{ severity: "error", file: entry.script, message: `cannot be read: ${messageOf(error)}` }];
  }
}

function entryFindings(
  entry: EntryPoint,
  folder: string,
  hook: Pick<HookFile, "metadata">,
): readonly Finding[] {
  const { script } = entry;
  const start = startHere(entry, folder, hook);
  if ("type" in start) {
    const message = start.type === "missing" ? `${start.why}; install it, or correct the #! line` : start.why;
    return [{ severity: "error", file: script, line: 1, message }];
  }
  if (process.platform === "win32" || (statSync(script).mode & 0o111) !== 0) return [];
  const message = `not executable; it is started with ${start.command}, but other hosts may not do that: run chmod +x`;
  return [{ severity: "warning", file: script, message }];
}
