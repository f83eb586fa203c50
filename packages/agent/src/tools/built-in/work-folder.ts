import { lstat, realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { systemCode } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import { pathFailure } from "./built-in-tool.ts";

/**
 * The folder that the file tools are confined to, links included. A model's path is resolved to its real path, and refused if that
 * is outside; afterwards only the real path is used.
 *
 * The check is only valid at that moment: a process that may change the folder (a command that Shell left running) can replace a
 * folder by a link. `file-access.ts` handles that. Hard links and mounts are treated as ordinary files and folders.
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
   * The real path of a relative or absolute path. Its last parts need not exist. Throws `outside_work_folder` if it leads out of the
   * folder, and `tool_failed` if it cannot be resolved.
   */
  async resolve(path: string): Promise<string> {
    if (path.includes("\0")) throw new TenterhookError("bad_tool_input", "a path has no NUL bytes.");
    const real = await this.#follow(path);
    this.require(real, path);
    return real;
  }

  /** Throws unless a real path is the folder or inside it. `path` names it in the error. */
  require(real: string, path: string): void {
    const relativePath = relative(this.root, real);
    // Not by prefix: /a/dir-evil starts with /a/dir. A name such as `..a` is allowed.
    const leadsOut = relativePath === ".." || relativePath.startsWith(`..${sep}`) || isAbsolute(relativePath);
    if (leadsOut) throw this.#refusal(path, "leads out of");
  }

  /** A real path for display: relative to the folder, with forward slashes. */
  nameOf(real: string): string {
    return relative(this.root, real).replaceAll(sep, "/") || ".";
  }

  async #follow(path: string): Promise<string> {
    const missing: string[] = [];
    // `..` is resolved before links are followed, so `link/../x` is `x`, and not a sibling of the link's target.
    for (let at = resolve(this.root, path); ; at = dirname(at)) {
      try {
        return join(await realpath(at), ...missing);
      } catch (error) {
        if (systemCode(error) !== "ENOENT" || dirname(at) === at) throw pathFailure(error, path);
      }
      // The target of a broken link cannot be checked, and a write through it would create the target.
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
