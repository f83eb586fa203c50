// Which paths are guarded.
const { existsSync, readdirSync, realpathSync } = require("node:fs");
const { basename, dirname, join, sep } = require("node:path");

// `folders`: absolute paths. `paths`: guarded in every project and in the home. A folder stands for everything in it.
const { folders, paths } = require("./guarded.json");

/** The most paths that one pattern is followed to. */
const MAX_MATCHES = 1000;

function isGuarded(path) {
  return comparable(path).some(
    (each) =>
      paths.some((guarded) => each.includes(`/${guarded}/`.toLowerCase())) ||
      folders.some((guarded) => each.startsWith(slashed(guarded))),
  );
}

/** Whether something guarded exists in this folder. */
function holdsGuarded(path) {
  return comparable(path).some(
    (each) =>
      folders.some((guarded) => slashed(guarded).startsWith(each) && existsSync(guarded)) ||
      paths.some((guarded) => restsOf(guarded, each).some((rest) => existsSync(join(path, rest)))),
  );
}

/** What of a guarded path may follow a folder that is called as its beginning. */
function restsOf(guarded, folder) {
  const parts = guarded.split("/");
  return parts
    .map((_, index) => [parts.slice(0, index).join("/"), parts.slice(index).join("/")])
    .filter(([begin]) => begin !== "" && folder.endsWith(`/${begin}/`.toLowerCase()))
    .map(([, rest]) => rest);
}

/** The existing paths that a path with `*`, `?` or `[…]` stands for; else the path itself. */
function matching(path) {
  let found = [path.startsWith(sep) ? sep : ""];
  for (const part of path.split(/[\\/]/).filter((each) => each !== "")) {
    const wanted = patternOf(part);
    found = found
      .flatMap((folder) =>
        wanted === undefined
          ? [join(folder, part)]
          : namesIn(folder)
              .filter((name) => wanted.test(name))
              .map((name) => join(folder, name)),
      )
      .slice(0, MAX_MATCHES);
  }
  return found.length === 0 ? [path] : found;
}

function patternOf(part) {
  if (!/[*?[]/.test(part)) return undefined;
  const source = part
    .replace(/[.+^${}()|\\]/g, "\\$&")
    .replace(/\*+/g, ".*")
    .replaceAll("?", ".");
  try {
    return new RegExp(`^${part.startsWith(".") ? "" : "(?!\\.)"}${source.replaceAll("[!", "[^")}$`);
  } catch {
    return undefined;
  }
}

function namesIn(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** A path as it is written, and without symbolic links. */
function comparable(path) {
  return [slashed(path), slashed(real(path))];
}

/** With slashes, one at its end, and in lower case: some file systems ignore the case. */
function slashed(path) {
  return `${path}/`.replace(/[\\/]+/g, "/").toLowerCase();
}

/** Without symbolic links, as far as the path exists. */
function real(path) {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : join(real(dirname(path)), basename(path));
  }
}

module.exports = { holdsGuarded, isGuarded, matching };
