import { readPlainFile } from "@tenterhook/internal/files";
import { type About, parseAbout } from "./about.ts";
import type { ResidentFiles } from "./folder.ts";

/** The line about the resident process; `undefined` if there is none that can be used. */
export function readAbout(files: ResidentFiles): About | undefined {
  try {
    return parseAbout(readPlainFile(files.about));
  } catch {
    return undefined;
  }
}
