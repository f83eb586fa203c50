export const GUARD_NAME = "guard-hooks";

/** Matches the paths of hooks, trust and clients' files, and some others; the script checks them exactly. */
const PATTERN =
  "[.]agents/hooks|agents/hooks|HOOK[.]md|hooks[.]toml|tenterhook|[.]claude/settings|[.]codex/(hooks|config)|[.]gemini/settings|[.]qwen/settings|[.]copilot|[.]github/hooks|[.]kimi-code|[.]factory/(hooks|settings)|[.]cline/hooks|[.]clinerules/hooks|opencode/plugins?";

export const GUARD_HOOK_MD = `---
name: guard-hooks
description: Keeps agents from changing hooks, what is trusted, and the entries that make hooks hold
trigger: before_tool
matcher:
  tool: Shell|WriteFile|EditFile|DeleteFile
  pattern: ${JSON.stringify(PATTERN)}
on_error: block
priority: 900
---

# guard-hooks

Refuses calls that write to the folders of hooks, to the trust store, to the cache and to the files in which coding agents keep their
hooks. Reading them is fine.

It looks at what a call says it does. A process of the same user can get around it, in a script for instance: it is a sign, not a wall.
`;

/** A script that needs nothing but Node. `folders`: what no agent may change. */
export function guardScript(folders: readonly string[]): string {
  return `// Written by tenterhook install --guard. It is yours now: change it as you like.
const { readFileSync, realpathSync } = require("node:fs");
const { basename, dirname, join, resolve } = require("node:path");
const { homedir } = require("node:os");

const FOLDERS = ${JSON.stringify(folders)};
const FILES =
  /(?:^|[\\\\/])(?:\\.agents[\\\\/]hooks(?:[\\\\/]|$)|\\.claude[\\\\/]settings(?:\\.local)?\\.json$|\\.codex[\\\\/](?:hooks\\.json|config\\.toml)$|\\.gemini[\\\\/](?:settings|trusted_hooks)\\.json$|\\.qwen[\\\\/]settings\\.json$|\\.copilot[\\\\/](?:hooks[\\\\/]|settings)|\\.github[\\\\/](?:hooks[\\\\/]|copilot[\\\\/]settings)|\\.kimi-code[\\\\/]config\\.toml$|\\.factory[\\\\/](?:hooks|settings)|\\.cline(?:rules)?[\\\\/]hooks(?:[\\\\/]|$)|opencode[\\\\/]plugins?(?:[\\\\/]|$))/;
/** Commands that only read, with nothing after them that could write. */
const LOOKS = /^\\s*(?:cat|ls|head|tail|less|stat|file|wc|grep|rg|find|diff|tree|tenterhook (?:list|check|log|explain|doctor|clients|describe)|npx tenterhook (?:list|check|log|explain|doctor|clients|describe))\\b[^;&|<>\`$\\n]*$/;

const event = JSON.parse(readFileSync(0, "utf8"));
const input = event.tool_input ?? {};
const cwd = event.work_dir ?? process.cwd();

if (event.tool_name === "Shell") guardCommand(String(input.command ?? ""));
else if (typeof input.file_path === "string" && isProtected(input.file_path)) refuse(input.file_path);

function guardCommand(command) {
  if (LOOKS.test(command) && !/\\s-(?:delete|exec\\w*|ok\\w*|fprint\\w*)\\b/.test(command)) return;
  if (/\\btenterhook\\s+(?:install|uninstall|trust)\\b/.test(command)) refuse("tenterhook install, uninstall and trust");
  for (const word of command.split(/[\\s;&|<>()"'\`=]+/)) if (word !== "" && isProtected(word)) refuse(word);
}

function isProtected(path) {
  const expanded = path.replace(/^~(?=[\\\\/]|$)/, homedir()).replace(/^\\$\\{?HOME\\}?/, homedir());
  const full = resolve(cwd, expanded);
  return [full, real(full)].some(
    (each) => FILES.test(each) || FOLDERS.some((folder) => each === folder || each.startsWith(folder + "/") || each.startsWith(folder + "\\\\")),
  );
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
  process.stderr.write("an agent may not change hooks, what is trusted, or the entries that make hooks hold: " + what + "\\n");
  process.exit(2);
}
`;
}
