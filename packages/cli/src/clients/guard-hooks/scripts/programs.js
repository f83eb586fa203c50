// What programs do with the paths that they are given.
const { basename, join } = require("node:path");

/** They only read, but for some options. */
const READERS = new Set(
  [
    "cat bat ls head tail less more nl stat file wc du grep egrep fgrep rg ag find fd diff cmp tree jq echo printf test [ [[",
    "md5sum sha1sum sha256sum shasum cksum realpath readlink dirname basename cut tr column strings od hexdump sed awk sort",
    "which type git gh glab cd pushd popd for export local readonly declare true :",
  ].flatMap((names) => names.split(" ")),
);
const WRITING_OPTIONS = {
  find: /^-(?:delete|exec.*|ok.*|fprint.*|fls)$/,
  sed: /^(?:-[a-zA-Z]*i.*|--in-place.*)$/,
  sort: /^(?:-[a-zA-Z]*o.*|--output.*)$/,
  awk: />/,
};
/** Commands of git that change files of the working folder. */
const GIT_WRITES = /^(?:checkout|restore|rm|mv|clean|stash|reset|apply|am|read-tree|checkout-index)$/;
const SHELLS = /^(?:sh|bash|zsh|dash|ksh|fish|eval)$/;
/** Words before the program itself. */
const PREFIXES = /^(?:time|command|builtin|exec|nohup)$/;
/** Programs that start another one, maybe after options with values. */
const WRAPPERS = /^(?:sudo|doas|env|nice|timeout|xargs)$/;
const TAKES_AWAY = /^(?:rm|rmdir|mv|unlink|shred|find|git|del|rd|Remove-Item)$/;
/** They put files into a folder under their own names. */
const LANDS_IN_FOLDER = /^(?:cp|mv|ln|install|rsync|scp)$/;
const COPIES = /^(?:cp|rsync|scp)$/;

/** The program of a command and its arguments, without what stands before it. */
function programOf(words) {
  const names = words.map((word) => basename(word));
  const isBefore = (name) => PREFIXES.test(name) || WRAPPERS.test(name) || /^[A-Za-z_]\w*=/.test(name);
  let at = 0;
  while (at < words.length && (isBefore(names[at]) || (at > 0 && words[at].startsWith("-")))) at++;
  const before = names.slice(0, at);
  const known = names.findIndex(
    (name, index) => index >= at && (TAKES_AWAY.test(name) || LANDS_IN_FOLDER.test(name)),
  );
  if (known > 0 && !READERS.has(names[at]) && before.some((name) => WRAPPERS.test(name))) at = known;
  return { name: names[at] ?? "", args: words.slice(at + 1), isXargs: before.includes("xargs") };
}

function isShell(name) {
  return SHELLS.test(name);
}

/** Whether a command runs what it reads, or changes the files that it reads the names of. */
function runsItsInput({ name, args, isXargs }) {
  return isShell(name) || (isXargs && !isReading(name, args));
}

function isReading(name, args) {
  if (name === "git") {
    const isOption = (word, at) => word.startsWith("-") || /^-[Cc]$/.test(args[at - 1] ?? "");
    return !GIT_WRITES.test(args.find((word, at) => !isOption(word, at)) ?? "");
  }
  const writing = WRITING_OPTIONS[name];
  return (
    name === "" || (READERS.has(name) && (writing === undefined || !args.some((word) => writing.test(word))))
  );
}

/** The words that may name what a command changes. */
function changedBy(name, args, input) {
  if (!LANDS_IN_FOLDER.test(name)) return [...args, ...input];
  const named = args.filter((word) => !word.startsWith("-"));
  const at = args.indexOf("-t");
  const target = (at < 0 ? named.at(-1) : args[at + 1]) ?? "";
  const landed = named.map((word) => join(target, basename(word)));
  return COPIES.test(name) ? [target, ...landed] : [...named, ...landed];
}

/** What a command removes, moves to another place, or replaces with all that is in it. */
function takenAwayBy(name, args) {
  if (!TAKES_AWAY.test(name)) return [];
  return name === "mv" && !args.includes("-t") ? args.slice(0, -1) : args;
}

/** Whether it is our own command, and decides which hooks are enforced. */
function isOwnDecision(words) {
  const at = words.findIndex((word) => /^tenterhook(?:@.*|\.\w+)?$/.test(basename(word)));
  const [command = "", ...rest] = at < 0 ? [] : words.slice(at + 1).filter((word) => word !== "--json");
  return /^(?:install|uninstall)$/.test(command) || (command === "trust" && !rest.includes("--list"));
}

module.exports = { changedBy, isOwnDecision, isReading, isShell, programOf, runsItsInput, takenAwayBy };
