import { lstatSync, readFileSync, type Stats } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Installation } from "@tenterhook/bridges/install";
import { isInside, realPath } from "@tenterhook/internal/files";
import { namesIn } from "../find-hooks.ts";
import { formatPath } from "../format-hook.ts";
import type { DoctorFinding, StepResult } from "./finding.ts";

/** More than anyone has among hooks. */
const MAX_PATHS = 20_000;

/** Who else can change a path: all users, a group with other members, or another owner than this user and root. */
type Writer = "everyone" | { readonly group: number } | { readonly owner: number };

/** Unmapped in a container: root outside of it, or anyone else. */
const NOBODY = 65534;

/**
 * Reports what other users can change: hooks' folders and files, what is trusted, what agents start, and the folders that these lie in. They
 * could add, replace or remove a guard. A project's are notes: a trusted hook runs from a copy, and a change is noticed. Nothing on Windows,
 * which has other permissions.
 */
export function checkWriters({ locations, folder, hook }: Installation): StepResult {
  const { userHooks, projectHooks, state, cache } = locations;
  const own = foreignWriters(
    [userHooks],
    [join(state, "trust.json"), join(state, "bridge"), cache, folder, hook],
  );
  const known = new Set(own.map(({ problem }) => problem));
  const ofProject = projectHooks === undefined ? [] : foreignWriters([projectHooks], []);
  const notes = ofProject.filter(({ problem }) => !known.has(problem));
  return { findings: own, notes: notes.map(({ problem, fix }) => `${problem}. ${fix}`) };
}

/** `whole` with all that is in them, `single` without. */
function foreignWriters(whole: readonly string[], single: readonly string[]): readonly DoctorFinding[] {
  const uid = process.getuid?.();
  if (uid === undefined) return [];
  const groups = new PrivateGroups(uid);
  const below = new Set([...whole.flatMap((root) => pathsBelow(realPath(root))), ...single.map(realPath)]);
  // What a link leads to lies in folders of its own.
  const linked = [...below].filter((path) => !whole.some((root) => isInside(path, realPath(root))));
  const above = new Set(
    [...whole, ...single, ...linked].flatMap(foldersAbove).filter((path) => !below.has(path)),
  );
  const found = (paths: ReadonlySet<string>, isAbove: boolean) =>
    [...paths].flatMap((path) => {
      const writer = findWriter(path, isAbove, uid, groups);
      return writer === undefined ? [] : [findingFor(path, writer)];
    });
  return [...found(above, true), ...found(below, false)];
}

/** Without links: what a link leads to has permissions of its own, and a link has none. */
function pathsBelow(root: string): readonly string[] {
  const found = [root];
  for (let at = 0; at < found.length && found.length < MAX_PATHS; at++) {
    const folder = found[at] ?? "";
    for (const name of namesIn(folder)) found.push(realPath(join(folder, name)));
  }
  return [...new Set(found)].slice(0, MAX_PATHS);
}

/** The folders that a path lies in, by the way it is written and without links. */
function foldersAbove(path: string): readonly string[] {
  return [resolve(path), realPath(path)].flatMap((start) => {
    const folders: string[] = [];
    for (let folder = start; dirname(folder) !== folder; folder = dirname(folder))
      folders.push(realPath(dirname(folder)));
    return folders;
  });
}

function findWriter(path: string, isAbove: boolean, uid: number, groups: PrivateGroups): Writer | undefined {
  const stats = readStats(path);
  if (stats === undefined || stats.isSymbolicLink()) return undefined;
  // Root may look at what belongs to the user that it works for.
  if (uid !== 0 && ![uid, 0, NOBODY].includes(stats.uid)) return { owner: stats.uid };
  // In a folder with the sticky bit, such as /tmp, others can add something, but not replace what is not theirs.
  if (isAbove && (stats.mode & 0o1000) !== 0) return undefined;
  if ((stats.mode & 0o002) !== 0) return "everyone";
  if ((stats.mode & 0o020) !== 0 && !groups.has(stats.gid)) return { group: stats.gid };
  return undefined;
}

function readStats(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

function findingFor(path: string, writer: Writer): DoctorFinding {
  const shown = formatPath(path);
  if (writer === "everyone")
    return {
      problem: `${shown} can be written to by every user of this machine, who could change or remove hooks`,
      fix: `Run: chmod o-w '${path.replaceAll("'", "'\\''")}'`,
    };
  if ("group" in writer)
    return {
      problem: `${shown} can be written to by the group ${writer.group}, whose other members could change or remove hooks`,
      fix: `Run: chmod g-w '${path.replaceAll("'", "'\\''")}'`,
    };
  return {
    problem: `${shown} belongs to another user (${writer.owner}), who could change or remove hooks`,
    fix: "Make it yours, or keep your hooks elsewhere.",
  };
}

/** Groups that only this user, or root, is a member of: many systems give every user such a group, and files that it can write. */
class PrivateGroups {
  readonly #user: string | undefined;
  readonly #accounts = readLines("/etc/passwd");
  readonly #groups = readLines("/etc/group");

  constructor(uid: number) {
    this.#user = this.#accounts.find(([, , id]) => id === String(uid))?.[0];
  }

  has(gid: number): boolean {
    if (gid === 0) return true;
    const group = this.#groups.find(([, , id]) => id === String(gid));
    // Of a group that comes from a directory of the network the members are not known.
    if (group === undefined) return false;
    const primary = this.#accounts.filter(([, , , id]) => id === String(gid)).map(([name]) => name);
    const members = [...(group[3] ?? "").split(",").filter(Boolean), ...primary];
    return members.every((name) => name === this.#user || name === "root");
  }
}

function readLines(file: string): readonly (readonly string[])[] {
  try {
    return readFileSync(file, "utf8")
      .split("\n")
      .map((line) => line.split(":"));
  } catch {
    return [];
  }
}
