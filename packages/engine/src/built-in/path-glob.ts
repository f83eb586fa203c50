import { homedir } from "node:os";
import { posix } from "node:path";
import { RE2JS } from "re2js";

/** A glob over paths. `*` crosses folders; a leading or inner `**`+`/` may also stand for no folder at all. */
export interface PathGlob {
  /** Strictly: for rules that let something pass. */
  fits(path: string): boolean;
  /**
   * Generously: for rules that refuse. Case is ignored, because some file systems ignore it, and `dir/**` also means
   * the folder itself, because deleting it deletes what is inside.
   */
  covers(path: string): boolean;
}

export function pathGlob(written: string): PathGlob {
  const glob = settled(written.normalize("NFC"));
  const strict = RE2JS.compile(source(glob), RE2JS.DOTALL);
  const folder = glob.replace(/\/\*+$/, "");
  const generous = RE2JS.compile(
    folder === glob || folder === "" ? source(glob) : `${source(folder)}(?:/.*)?`,
    RE2JS.DOTALL | RE2JS.CASE_INSENSITIVE,
  );
  return {
    fits: (path) => strict.testExact(path.normalize("NFC")),
    covers: (path) => generous.testExact(path.normalize("NFC")),
  };
}

/**
 * The ways to write one path once `.`, `..`, `~` and doubled slashes are resolved: absolute, and relative to the
 * working directory. Symbolic links are not followed.
 */
export function pathForms(path: string, workDir: string | undefined): readonly string[] {
  const base = posix.resolve(slashed(workDir ?? process.cwd()));
  const absolute = posix.resolve(base, atHome(slashed(path)));
  return [absolute, posix.relative(base, absolute) || "."];
}

/** A backslash separates folders on Windows only; a refusal must not depend on where it is judged. */
export function withSlashes(path: string): string {
  return path.replaceAll("\\", "/");
}

function slashed(path: string): string {
  return process.platform === "win32" ? withSlashes(path) : path;
}

function atHome(path: string): string {
  return path === "~" || path.startsWith("~/") ? `${slashed(homedir())}${path.slice(1)}` : path;
}

/** Resolves `.`, `..` and `~` in the part of a glob before its first wildcard. */
function settled(glob: string): string {
  const wildcard = glob.search(/[*?]/);
  const slash = glob.lastIndexOf("/", wildcard < 0 ? glob.length : wildcard);
  if (slash <= 0 && wildcard >= 0) return glob;
  const plain = wildcard < 0 ? glob : glob.slice(0, slash);
  const normal = posix.normalize(atHome(plain)).replace(/(?<=.)\/$/, "");
  if (wildcard < 0) return normal;
  const rest = glob.slice(slash + 1);
  return normal === "." ? rest : posix.join(normal, "/") + rest;
}

function source(glob: string): string {
  let result = "";
  for (let at = 0; at < glob.length; ) {
    if (glob.startsWith("**/", at) && (at === 0 || glob[at - 1] === "/")) {
      result += "(?:.*/)?";
      at += 3;
    } else if (glob[at] === "*") {
      result += ".*";
      while (glob[at] === "*") at++;
    } else if (glob[at] === "?") {
      result += ".";
      at++;
    } else {
      const start = at;
      while (at < glob.length && glob[at] !== "*" && glob[at] !== "?") at++;
      result += RE2JS.quote(glob.slice(start, at));
    }
  }
  return result;
}
