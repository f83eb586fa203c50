// Written by tenterhook install --guard. It is yours now: change it as you like.
const { readFileSync, realpathSync } = require("node:fs");
const { homedir } = require("node:os");
const { basename, dirname, join, resolve } = require("node:path");

// `folders`: absolute paths. `paths`: guarded in every project and in the home. A folder stands for everything in it.
const { folders, paths } = require("./guarded.json");

/** Commands that only read, with nothing after them that could write. */
const LOOKS =
  /^\s*(?:cat|ls|head|tail|less|stat|file|wc|grep|rg|find|diff|tree|(?:npx )?tenterhook (?:list|check|log|explain|doctor|clients|describe))\b[^;&|<>`$\n]*$/;
const FIND_ACTIONS = /\s-(?:delete|exec\w*|ok\w*|fprint\w*)\b/;

const event = JSON.parse(readFileSync(0, "utf8"));
const input = event.tool_input ?? {};
const cwd = event.work_dir ?? process.cwd();

if (event.tool_name === "Shell") checkCommand(String(input.command ?? ""));
else if (typeof input.file_path === "string" && isGuarded(resolve(cwd, input.file_path)))
  refuse(input.file_path);

function checkCommand(command) {
  if (LOOKS.test(command) && !FIND_ACTIONS.test(command)) return;
  if (/\btenterhook\s+(?:install|uninstall|trust)\b/.test(command))
    refuse("tenterhook install, uninstall and trust");
  let folder = cwd;
  for (const part of command.split(/[;&|\n]+/)) {
    const words = part.split(/[\s<>()"'`=]+/).filter((word) => word !== "");
    for (const word of words) if (isGuarded(fullPath(folder, word))) refuse(word);
    for (const word of takenAway(words)) if (holdsGuarded(fullPath(folder, word))) refuse(word);
    const entered = words.indexOf("cd") + 1;
    if (entered > 0) folder = fullPath(folder, words[entered] ?? homedir());
  }
}

/** What a command removes or moves to another place. */
function takenAway(words) {
  const verb = words.findIndex((word) => /^(?:rm|rmdir|mv)$/.test(basename(word)));
  if (verb < 0) return [];
  return words.slice(verb + 1, basename(words[verb]) === "mv" ? -1 : undefined);
}

function fullPath(folder, word) {
  return resolve(folder, word.replace(/^(?:~|\$HOME|\$\{HOME\})(?=[\\/]|$)/, homedir()));
}

function isGuarded(path) {
  return comparable(path).some(
    (each) =>
      paths.some((guarded) => each.includes(`/${guarded}/`.toLowerCase())) ||
      folders.some((guarded) => each.startsWith(slashed(guarded))),
  );
}

/** Whether a guarded path stands in this folder. */
function holdsGuarded(path) {
  const parents = [...folders, ...paths].map(dirname).filter((parent) => parent !== ".");
  return comparable(path).some((each) => parents.some((parent) => each.endsWith(slashed(`/${parent}`))));
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

function refuse(what) {
  process.stderr.write(
    `an agent may not change hooks, what is trusted, or the entries that make hooks hold: ${what}\n`,
  );
  process.exit(2);
}
