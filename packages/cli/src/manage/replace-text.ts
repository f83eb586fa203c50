import { chmodSync, realpathSync, statSync } from "node:fs";
import { replacePlainFile } from "@tenterhook/internal/files";

/** Replaces the text of a user's file. A link stays one, and the mode is kept. */
export function replaceText(file: string, text: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  const target = stats === undefined ? file : realpathSync(file);
  replacePlainFile(target, text);
  chmodSync(target, stats === undefined ? 0o644 : stats.mode & 0o777);
}
