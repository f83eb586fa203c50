import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf, typedCommand } from "@tenterhook/internal";
import { fileReason } from "../file-error.ts";
import { formatPath } from "../format-hook.ts";
import { UsageError } from "../usage-error.ts";
import { makeWritableFolder, STATE_FOLDER } from "../writable-folder.ts";
import type { StepResult } from "./finding.ts";

/** Checks that the calls of a session can store what they share. */
export function checkStateFolder(state: string): StepResult {
  const problem = whyNotWritable(join(state, "bridge", "sessions"));
  if (problem === undefined) return { findings: [] };
  const fix = `Make ${formatPath(state)} and all that is in it yours and writable, with space on its disk. Or set HOME or XDG_STATE_HOME to a writable folder, and run: ${typedCommand()} install`;
  return {
    findings: [
      {
        problem: `${problem} A session's project is forgotten between calls, refusals and stop gates do not last, and ${typedCommand()} log shows nothing`,
        fix,
      },
    ],
  };
}

function whyNotWritable(sessions: string): string | undefined {
  const probe = join(sessions, `doctor-${process.pid}`);
  try {
    makeWritableFolder(sessions, STATE_FOLDER);
    // Permissions say nothing about a full disk.
    writeFileSync(probe, "written by tenterhook doctor\n");
    rmSync(probe);
    return undefined;
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    return `${STATE_FOLDER.what} ${formatPath(sessions)} cannot be written to: ${fileReason(error) ?? messageOf(error)}.`;
  }
}
