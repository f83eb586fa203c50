import { lstat, realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { TenterhookError } from "@tenterhook/protocol";
import { pathFailure, systemCode } from "./failure.ts";

/**
 * The folder that the file tools are confined to, links included. A path that a model names is followed to where it
 * really leads, and refused when that is outside; what is used afterwards is the real path, never the one it named.
 *
 * A check is about one moment. Somebody who may change the folder meanwhile (a command that Shell left running) can put
 * a link where a folder was; `opened-path.ts` handles that. A hard link or a mount looks like any other
 * file or folder, and is one.
 */
export class WorkFolder {
  /** Its real path. */
  readonly root: string;

  private constructor(root: string) {
    this.root = root;
  }

  static async open(path: string): Promise<WorkFolder> {
    try {
      const root = await realpath(path);
      if ((await stat(root)).isDirectory()) return new WorkFolder(root);
    } catch (error) {
      throw pathFailure(error, path);
    }
    throw new TenterhookError("tool_failed", `the work folder "${path}" is not a folder.`);
  }

  /**
   * The real path of what a path means here: relative to the folder, or absolute. Its last parts need not exist.
   * Throws `outside_work_folder` when it leads out, and `tool_failed` when it leads nowhere.
   */
  async resolve(path: string): Promise<string> {
    if (path.includes("\0")) throw new TenterhookError("bad_tool_input", "a path has no NUL bytes.");
    const real = await this.#follow(path);
    this.require(real, path);
    return real;
  }

  /** Throws unless a real path is the folder or lies in it. `path` is what the error calls it. */
  require(real: string, path: string): void {
    const way = relative(this.root, real);
    // Not by comparing prefixes: /a/dir-evil begins like /a/dir. A name such as `..a` is fine.
    const leadsOut = way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way);
    if (leadsOut) throw this.#refusal(path, "leads out of");
  }

  /** What to call a real path when speaking of it: relative to the folder, with forward slashes. */
  nameOf(real: string): string {
    return relative(this.root, real).replaceAll(sep, "/") || ".";
  }

  async #follow(path: string): Promise<string> {
    const missing: string[] = [];
    // `..` is taken off the text before links are followed, so `link/../x` is `x`, and not what lies beside the target.
    for (let at = resolve(this.root, path); ; at = dirname(at)) {
      try {
        return join(await realpath(at), ...missing);
      } catch (error) {
        if (systemCode(error) !== "ENOENT" || dirname(at) === at) throw pathFailure(error, path);
      }
      // Where a link leads that leads nowhere yet cannot be checked; whoever wrote through it would make it exist.
      if (await isLink(at))
        throw this.#refusal(path, "is, or passes through, a broken link, so it is not known to be in");
      missing.unshift(basename(at));
    }
  }

  #refusal(path: string, how: string): TenterhookError {
    return new TenterhookError("outside_work_folder", `"${path}" ${how} the work folder ${this.root}.`);
  }
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch {
    return false;
  }
}
