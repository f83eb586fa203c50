import { type About, parseAbout, type ResidentFiles } from "@tenterhook/bridges/resident";
import { readPlainFile } from "@tenterhook/internal/files";

/** The line about the resident process; `undefined` if there is none that can be used. */
export function readAbout(files: ResidentFiles): About | undefined {
  try {
    return parseAbout(readPlainFile(files.about));
  } catch {
    return undefined;
  }
}
