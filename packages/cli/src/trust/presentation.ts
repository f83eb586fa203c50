import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { allowedNames, findEntryPoint } from "@tenterhook/file-hooks/run";
import type { TrustedHook } from "@tenterhook/file-hooks/trust";
import type { HookFile } from "@tenterhook/protocol";
import { startHere } from "../check/start-here.ts";
import { formatMatcher, formatPath } from "../format-hook.ts";
import { bold, dim, oneLine, printable, table, yellow } from "../terminal.ts";

/** Longer scripts and lines are cut. */
const MAX_LINES = 60;
const MAX_LINE_LENGTH = 200;

/** A hook for review before it is trusted. Throws errors of the file system. */
export function presentation(
  folder: string,
  hook: HookFile,
  before?: TrustedHook,
  since = before === undefined
    ? "never trusted"
    : `changed since it was trusted on ${before.trustedAt.slice(0, 10)}`,
): string {
  const facts = listFacts(hook);
  const known = before === undefined ? undefined : listFacts(before.hook);
  const rows = Object.entries(facts).map(([fact, value]) => {
    const was = known?.[fact];
    return [
      `  ${fact}`,
      was === undefined || was === value ? value : { text: `${value} (was: ${was})`, style: yellow },
    ];
  });
  return [
    `${bold(oneLine(hook.name))} ${dim(oneLine(formatPath(folder)))} ${yellow(since)}`,
    table(rows),
    table(filesIn(folder).map(([name, size]) => [`  ${name}`, size])),
    script(folder, hook),
  ].join("\n");
}

/** A quoted text with a bar before each line, so that it cannot imitate output of the command. */
export function quotedText(text: string): string {
  const lines = text.trimEnd().split("\n");
  const shown = lines.slice(0, MAX_LINES).map((line) => {
    const text = printable(line);
    return `  ${dim("│")} ${text.length > MAX_LINE_LENGTH ? `${text.slice(0, MAX_LINE_LENGTH)} … (cut)` : text}`;
  });
  const left = lines.length - shown.length;
  return [...shown, ...(left > 0 ? [yellow(`  … ${left} more lines; open the file to read them`)] : [])].join(
    "\n",
  );
}

function listFacts(hook: HookFile): Readonly<Record<string, string>> {
  return {
    description: hook.description,
    trigger: hook.events.join(", "),
    matcher: formatMatcher(hook) || "everything",
    on_error: hook.onError,
    mode: hook.mode,
    ...(hook.enforce === false && {
      enforce: "false: what it would have done is recorded, and changes nothing",
    }),
    ...(hook.action !== undefined && { action: `${hook.action.type}: ${hook.action.reason}` }),
    ...(typeof hook.metadata.interpreter === "string" && {
      interpreter: `${hook.metadata.interpreter} (the file is covered by trust; libraries that it loads are not)`,
    }),
    ...(allowedNames(hook.metadata).length > 0 && {
      env: `${allowedNames(hook.metadata).join(", ")} (it gets these as they are, also if they are secrets or steer its interpreter)`,
    }),
  };
}

function filesIn(folder: string): readonly [string, string][] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry): [string, string] => {
      const path = join(entry.parentPath, entry.name);
      return [relative(folder, path), entry.isSymbolicLink() ? "link" : `${lstatSync(path).size} bytes`];
    })
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function script(folder: string, hook: HookFile): string {
  if (hook.action !== undefined) return "  No script: the matcher alone decides.";
  const entry = findEntryPoint(folder);
  if (typeof entry === "string") return yellow(`  Cannot run: ${printable(entry)}`);
  const start = startHere(entry, folder, hook);
  const by =
    "type" in start
      ? yellow(`, which cannot run here: ${printable(start.why)}`)
      : start.interpreter === undefined
        ? ""
        : dim(`, run by ${oneLine(start.interpreter)}`);
  return `  ${oneLine(relative(folder, entry.script))}${by}\n${quotedText(readFileSync(entry.script, "utf8"))}`;
}
