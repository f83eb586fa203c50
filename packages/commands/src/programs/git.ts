import { CLASSES, isKnown, UNKNOWN } from "../values.ts";
import type { Call, Programs } from "./row.ts";

/** Of a commit, whose names may be said in many ways. */
const COMMIT_VALUES =
  "m message F=read file=read C reuse-message c reedit-message t template author date cleanup fixup squash trailer " +
  "S? u? pathspec-from-file";
const MERGE_VALUES = "m message F file s strategy X strategy-option S? into-name cleanup";

/**
 * Git, and its subcommands as programs of their own: `git -C dir push` starts `git-push` in `dir`, with the settings of `-c` in its environment,
 * as git itself does.
 */
export const GIT: Programs = {
  "git hub": {
    style: "posix",
    values: "C c git-dir work-tree namespace config-env super-prefix list-cmds",
    run: startSubcommand,
  },
  "git-push": {
    values: "o push-option repo receive-pack=code exec=code recurse-submodules",
    switches: "force force-with-lease force-if-includes delete mirror prune no-verify all tags",
    harmless: "n dry-run",
    run: push,
  },
  "git-reset": {
    values: "U unified inter-hunk-context pathspec-from-file",
    switches: "hard merge soft mixed keep",
    run: (call) => {
      if (call.has("hard merge")) call.effect("discard.worktree", call.workTree());
    },
  },
  "git-checkout": {
    values: "b B orphan conflict pathspec-from-file U unified",
    switches: "force ours theirs detach merge patch no-track",
    run: checkOut,
  },
  "git-switch": {
    values: "c create C force-create orphan conflict",
    switches: "force discard-changes detach",
    run: (call) => {
      if (call.has("f force discard-changes")) call.effect("discard.worktree", call.workTree());
      discardBranches(call, call.values("C force-create"));
    },
  },
  "git-restore": {
    values: "s source conflict pathspec-from-file U unified",
    switches: "staged worktree patch",
    run: (call) => {
      const isOfIndex = call.has("S staged") && !call.has("W worktree");
      if (!isOfIndex && !call.has("p patch")) discardFiles(call, call.operands);
    },
  },
  "git-checkout-index git-read-tree": {
    values: "prefix stage index-output exclude-per-directory",
    switches: "force all reset",
    run: (call) => {
      if (call.has("f force reset") && call.value("prefix") === undefined)
        call.effect("discard.worktree", ".");
    },
  },
  "git-clean": { values: "e exclude", switches: "force interactive", harmless: "n dry-run", run: clean },
  "git-rm": {
    values: "pathspec-from-file",
    switches: "force cached",
    harmless: "n dry-run cached",
    when: { "f force": { operands: "discard.worktree*" } },
  },
  "git-stash": {
    commands: {
      drop: { effects: "discard.stash" },
      clear: { effects: "discard.stash.all" },
      "show list": { prints: "unknown" },
    },
  },
  "git-worktree": {
    commands: {
      remove: { switches: "force", when: { "f force": { effects: "discard.linked", operands: "name" } } },
      add: { values: "b B reason", run: (call) => discardBranches(call, call.values("B")) },
    },
  },
  "git-branch": {
    values: "u set-upstream-to contains no-contains merged no-merged points-at sort format",
    switches: "delete force list move copy",
    run: (call) => {
      if (call.has("D") || call.has("f force")) discardBranches(call, call.operands);
    },
  },
  "git-update-ref": {
    values: "m",
    switches: "delete stdin",
    run: (call) => {
      const isDeleted = call.has("d delete") || (call.has("stdin") && /^\s*delete\b/m.test(call.input));
      if (isDeleted) call.effectOn("rewrite_history.recovery", ...call.operands);
    },
  },
  "git-reflog": {
    commands: {
      "expire delete": {
        values: "expire expire-unreachable",
        harmless: "n dry-run",
        effects: "rewrite_history.recovery",
      },
    },
  },
  "git-gc git-prune git-maintenance": {
    values: "expire task schedule",
    switches: "prune no-prune aggressive",
    harmless: "n dry-run",
    run: collectGarbage,
  },
  "git-filter-branch": {
    values:
      "env-filter=code tree-filter=code index-filter=code parent-filter=code msg-filter=code commit-filter=code " +
      "tag-name-filter=code subdirectory-filter setup=code d original",
    effects: "rewrite_history.all",
  },
  "git-filter-repo bfg": { harmless: "analyze dry-run", effects: "rewrite_history.all" },
  "git-commit": {
    values: COMMIT_VALUES,
    switches: "amend no-verify",
    harmless: "dry-run",
    run: (call) => {
      runHooks(call, "n no-verify");
      if (call.has("amend") || /^(?:amend|reword):/.test(call.value("fixup") ?? ""))
        call.effect("rewrite_history.amend");
    },
  },
  "git-rebase": {
    values: `${MERGE_VALUES} onto x=code exec=code C whitespace empty`,
    switches: "abort continue skip quit edit-todo show-current-patch no-verify root",
    run: (call) => {
      runHooks(call, "no-verify");
      if (!call.has("abort continue skip quit edit-todo show-current-patch"))
        call.effect("rewrite_history.rebase");
    },
  },
  "git-merge git-pull git-cherry-pick git-revert git-am": {
    values: `${MERGE_VALUES} depth upload-pack=code`,
    switches: "no-verify",
    run: (call) => runHooks(call, call.name === "git-am" ? "n no-verify" : "no-verify"),
  },
  "git-clone": {
    values:
      "o origin b branch revision u=code upload-pack=code reference c config depth separate-git-dir j jobs template filter " +
      "shallow-since shallow-exclude bundle-uri server-option ref-format",
    run: (call) => {
      applySettings(call, call.values("c config"));
      const [url = "", folder = url.replace(/[/:]$|\.git\/?$/g, "").replace(/^.*[/:]/, "")] = call.operands;
      runTransport(call, url);
      if (folder !== "") call.create(folder);
    },
  },
  "git-fetch git-ls-remote git-remote": {
    values: "upload-pack=code o server-option depth j jobs t m refmap",
    run: (call) => {
      for (const url of call.operands) runTransport(call, url);
    },
  },
  "git-init": {
    values: "template separate-git-dir b initial-branch object-format",
    run: (call) => call.create(`${call.operands[0] ?? "."}/.git`),
  },
  "git-submodule": {
    commands: {
      foreach: { style: "posix", run: (call) => call.print(call.startText(call.operands.join(" "))) },
      deinit: { switches: "force", when: { "f force": { operands: "discard.worktree*" } } },
      update: { switches: "force", when: { "f force": { effects: "discard.worktree" } } },
    },
  },
  "git-bisect": { commands: { run: { style: "posix", operands: "program" } } },
  "git-config": { values: "f file blob type default comment value url", style: "posix", run: configure },
  "git-show git-cat-file git-blame git-annotate git-diff git-log git-grep": {
    values: "L S G n e f max-count format pretty author since until skip U o output=write O diff-filter",
    switches: "no-index",
    run: readFiles,
  },
  "git-archive git-bundle": {
    values: "o output format prefix remote exec add-file",
    run: (call) => {
      const output = call.value("o output") ?? (call.name === "git-bundle" ? call.operands[1] : undefined);
      if (output === undefined || output === "-") call.print(CLASSES.folder);
      else call.write(output, CLASSES.folder);
    },
  },
  "git-credential git-credential-store git-credential-cache git-credential-osxkeychain git-credential-manager":
    {
      commands: { "fill get": { effects: "read.store", prints: "secret" } },
    },
  // The tools that install git's hooks.
  "husky lefthook pre-commit overcommit": {
    commands: { "uninstall uninit": { effects: "bypass" } },
  },
  "hg jj svn": {
    values: "r rev R repository m message u user",
    harmless: "n dry-run",
    run: discardElsewhere,
  },
};

/** A setting whose value git runs as a command. */
const RUN_SETTING =
  /^(?:core\.(?:sshcommand|pager|editor|fsmonitor|askpass|gitproxy)|sequence\.editor|pager\..+|diff\.(?:external|.+\.(?:command|textconv))|filter\..+\.(?:clean|smudge|process)|credential\.(?:.+\.)?helper|(?:difftool|mergetool)\..+\.cmd|gpg\.(?:.+\.)?program|remote\..+\.(?:uploadpack|receivepack)|uploadpack\.packobjectshook)$/i;
const RUN_VARIABLES =
  "GIT_SSH_COMMAND GIT_SSH GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_PAGER GIT_ASKPASS GIT_EXTERNAL_DIFF GIT_PROXY_COMMAND";
/** Those for which hooks of the project may run. */
const WITH_HOOKS = /^(?:commit|push|merge|rebase|am|pull|cherry-pick|revert|checkout)$/;

function startSubcommand(call: Call): void {
  const [subcommand, ...rest] = call.operands;
  const given = [...call.values("c"), ...settingsOfEnvironment(call)];
  const isSwitchedOff =
    /^0$/.test(call.ownVariable("HUSKY") ?? "") || /^(?:0|false)$/.test(call.ownVariable("LEFTHOOK") ?? "");
  if (subcommand === undefined) return;
  if (isSwitchedOff && WITH_HOOKS.test(subcommand)) call.effect("bypass");
  applySettings(call, given);
  for (const name of RUN_VARIABLES.split(" ")) runSetting(call, call.variable(name));
  const how = {
    ...folderOf(call),
    variables: [["GIT_CONFIG_PARAMETERS", given.join("\n")]] as const,
  };
  const alias = given.findLast((each) => each.toLowerCase().startsWith(`alias.${subcommand.toLowerCase()}=`));
  if (alias !== undefined) {
    const text = alias.slice(alias.indexOf("=") + 1);
    if (text.startsWith("!")) call.print(call.startText([text.slice(1), ...rest].join(" "), how));
    else if (text.split(" ")[0] !== subcommand)
      call.print(call.start(["git", ...text.split(/\s+/), ...rest], how));
  } else if (isKnown(subcommand)) call.print(call.start([`git-${subcommand}`, ...rest], how));
  else call.effect("execute.unknown");
}

/** `-C` counts from the one before; a tree of its own is where the files are. */
function folderOf(call: Call): { readonly folder?: string } {
  const folders = call.values("C");
  const tree = call.value("work-tree") ?? call.value("git-dir")?.replace(/\/?\.git\/?$/, "");
  const all = tree === undefined || tree === "" ? folders : [...folders, tree];
  if (all.length === 0) return {};
  return { folder: all.reduce((before, each) => (/^[/~]/.test(each) ? each : `${before}/${each}`)) };
}

/** What `-c` and the environment set: `key=value`. */
function settingsOfEnvironment(call: Call): readonly string[] {
  const settings = (call.variable("GIT_CONFIG_PARAMETERS") ?? "")
    .split("\n")
    .map((each) => each.replaceAll("'", ""));
  const count = Math.min(Number(call.variable("GIT_CONFIG_COUNT") ?? 0) || 0, 20);
  for (let index = 0; index < count; index++)
    settings.push(
      `${call.variable(`GIT_CONFIG_KEY_${index}`)}=${call.variable(`GIT_CONFIG_VALUE_${index}`)}`,
    );
  return settings.filter((setting) => setting.includes("="));
}

function settingOf(call: Call, key: string): string | undefined {
  const found = settingsOfEnvironment(call).findLast((each) => each.toLowerCase().startsWith(`${key}=`));
  return found?.slice(key.length + 1);
}

function applySettings(call: Call, settings: readonly string[]): void {
  for (const setting of settings) {
    const equals = setting.indexOf("=");
    const [key, value] = equals < 0 ? [setting, ""] : [setting.slice(0, equals), setting.slice(equals + 1)];
    if (/^core\.hookspath$/i.test(key)) call.effect("bypass");
    else if (RUN_SETTING.test(key)) runSetting(call, value);
    else if (/^alias\./i.test(key) && value.startsWith("!")) call.startText(value.slice(1));
  }
}

/** A plain name of a program, as `vim` or `store`, does nothing that concerns files. */
function runSetting(call: Call, value: string | undefined): void {
  if (value !== undefined && /[\s!;|&$/]/.test(value)) call.startText(value.replace(/^!/, ""));
}

function runHooks(call: Call, without: string): void {
  if (call.has(without)) call.effect("bypass");
}

/** `ext::` is an address that is a command. */
function runTransport(call: Call, url: string): void {
  if (url.startsWith("ext::")) call.startText(url.slice(5));
}

function push(call: Call): void {
  runHooks(call, "no-verify");
  const isLeased = call.has("force-with-lease");
  const configured = settingsOfEnvironment(call).some((each) =>
    /^remote\..+\.(?:push=\+|mirror=true)/i.test(each),
  );
  const isForced = call.has("f force mirror") || configured;
  const plain = isForced ? "publish.force" : isLeased ? "publish.lease" : "publish";
  const isDeleted = call.has("d delete");
  const refspecs = call.operands.slice(call.value("repo") === undefined ? 1 : 0);
  if (call.has("prune mirror")) call.effect("publish.delete");
  if (refspecs.length === 0) call.effect(plain);
  for (const refspec of refspecs) {
    const [, plus, source = "", target] = /^(\+?)([^:]*)(?::(.*))?$/s.exec(refspec) ?? [];
    const branch = ((target ?? "") || source).replace(/^refs\/heads\//, "");
    const isRemoved = isDeleted || (source === "" && branch !== "");
    if (isRemoved) call.effectOn("publish.delete", branch);
    if (plus !== "") call.effectOn(isLeased ? "publish.lease.refspec" : "publish.force", branch);
    else if (isForced || !isRemoved) call.effectOn(plain, branch);
  }
}

/** A branch, or files of which the changes are lost. */
function checkOut(call: Call): void {
  discardBranches(call, call.values("B"));
  const files = call.has("b B orphan detach p patch") ? [] : checkedOutFiles(call);
  if (files.length === 0 && call.has("f force")) call.effect("discard.worktree", call.workTree());
  discardFiles(call, files);
}

function checkedOutFiles(call: Call): readonly string[] {
  const { words, operands } = call;
  const end = words.indexOf("--");
  // Git refuses a second word before `--`.
  if (end >= 0) return operands.length - (words.length - end - 1) > 1 ? [] : words.slice(end + 1);
  if (call.value("pathspec-from-file") !== undefined) return [UNKNOWN];
  const [first = "", ...rest] = operands;
  return isPathspec(first) || call.has("ours theirs") ? operands : rest;
}

/** A single word may be a branch: it is a file if it looks like one. */
function isPathspec(word: string): boolean {
  return (
    /^\.{0,2}\/|^\.{1,2}$|^:|[*?[\uE010-\uE012]|\/$|\.[a-z]\w{0,4}$/i.test(word) &&
    !/^HEAD(?:$|[~^@])|@\{/.test(word)
  );
}

function discardFiles(call: Call, pathspecs: readonly string[]): void {
  const paths = pathspecs.map((each) =>
    /^(?:\*+|\*\*\/\*)$/.test(each)
      ? "."
      : /^:(?:\/?$|[(!^])/.test(each)
        ? call.workTree()
        : each.replace(/^:\//, `${call.workTree()}/`),
  );
  if (paths.length > 0) call.effect("discard.worktree", ...paths);
}

function discardBranches(call: Call, names: readonly string[]): void {
  if (names.length > 0) call.effectOn("discard.branch", ...names);
}

function clean(call: Call): void {
  const isRequired = !/^(?:false|no|off|0)$/i.test(settingOf(call, "clean.requireforce") ?? "true");
  const isAsking = call.has("i interactive");
  // It asks at the terminal, or what it is given answers.
  if (isAsking ? call.input === "" : isRequired && !call.has("f force")) return;
  const folders = call.operands.length > 0 ? call.operands : ["."];
  call.effect(call.has("X") ? "discard.ignored" : "discard.untracked", ...folders);
}

const AT_ONCE = /^(?:now|all|0|immediate|0\.\w+\.ago)/i;

/** What nothing refers to is removed before it is old. */
function collectGarbage(call: Call): void {
  if (call.has("no-prune")) return;
  const expiry = call.value("prune expire") ?? settingOf(call, "gc.pruneexpire");
  const isPrune = call.name === "git-prune" && expiry === undefined;
  const reflog = settingOf(call, "gc.reflogexpire") ?? settingOf(call, "gc.reflogexpireunreachable") ?? "";
  if (isPrune || AT_ONCE.test(expiry ?? "") || AT_ONCE.test(reflog)) call.effect("rewrite_history.recovery");
}

/** `git config key value`, `git config set key value`, `git config --unset key`. */
function configure(call: Call): void {
  const words = call.words.filter(
    (word) => !word.startsWith("-") && !/^(?:set|unset|get|list|edit)$/.test(word),
  );
  const [key = "", value] = words;
  const isRemoved = call.words.some((word) => /^(?:--)?unset/.test(word));
  const isRead = call.words.some((word) => /^(?:--)?(?:get|list)|^-l$/.test(word));
  if (isRead || (value === undefined && !isRemoved)) return;
  applySettings(call, [`${key}=${value ?? ""}`]);
  if (/^gc\.(?:prune|reflog)expire/i.test(key) && AT_ONCE.test(value ?? ""))
    call.effect("rewrite_history.recovery");
}

/** Files, in a commit (`HEAD:.env`) or in the work tree. */
function readFiles(call: Call): void {
  const end = call.words.indexOf("--");
  const isOfFiles = /blame|annotate/.test(call.name) || call.has("no-index");
  const inCommits = call.operands.filter((operand) => /^[^:]*:[^:]/.test(operand));
  const inTree = isOfFiles
    ? call.operands
    : call.operands.filter((operand) => /^\.{0,2}\/|(?:^|\/)\.\w|\.\w+$/.test(operand));
  const files = end < 0 ? inTree.filter((path) => !path.includes(":")) : call.words.slice(end + 1);
  const contents = [...inCommits.map((each) => each.slice(each.indexOf(":") + 1)), ...files].map((path) =>
    call.read(path),
  );
  call.print(`${UNKNOWN}${contents.join("")}`);
}

/** The same in other systems of this kind. */
function discardElsewhere(call: Call): void {
  const [subcommand = "", ...files] = call.operands;
  if (/^(?:purge|clean)$/.test(subcommand)) call.effect("discard.untracked", ".");
  else if (/^(?:strip|prune|obliterate)$/.test(subcommand)) call.effect("rewrite_history.recovery");
  else if (/^(?:up|update|checkout|co)$/.test(subcommand) && call.has("C clean"))
    call.effect("discard.worktree", ".");
  else if (
    /^(?:revert|restore|abandon)$/.test(subcommand) &&
    !/^jj revert/.test(`${call.name} ${subcommand}`)
  )
    call.effect("discard.worktree", ...(call.has("a all") || files.length === 0 ? ["."] : files));
  else if (subcommand === "push" && call.has("f force")) call.effect("publish.force");
}
