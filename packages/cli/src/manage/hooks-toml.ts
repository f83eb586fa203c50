import { chmodSync, realpathSync, statSync } from "node:fs";
import { parseOverrides } from "@tenterhook/file-hooks/overrides";
import { readSmallText, replacePlainFile } from "@tenterhook/internal/files";
import { normalName } from "@tenterhook/protocol/internal";
import { formatPath } from "../format-hook.ts";
import { UsageError } from "../usage-error.ts";

/** A setting of a hook that is true or false. */
export type Switch = "enabled" | "enforce";

/** Sets a switch of a hook in a hooks.toml; everything else in it stays as it is. False when it is set so already. */
export function setSwitch(file: string, name: string, key: Switch, value: boolean): boolean {
  const text = readToml(file);
  if (overrideIn(file, text, name)?.[key] === value) return false;
  const line = `${key} = ${value}`;
  const section = findSection(text, name);
  const edited =
    section === undefined
      ? `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${text === "" ? "" : "\n"}[hooks.${keyFor(name)}]\n${line}\n`
      : withLine(text, section, key, line);
  if (overrideIn(file, edited, name)?.[key] !== value) throw unwritable(file, name, line);
  replaceText(file, edited);
  return true;
}

/** The text of a hooks.toml after a hook was renamed; `undefined` when it does not name the hook. */
export function renamedIn(file: string, from: string, to: string): string | undefined {
  const text = readToml(file);
  const before = overrideIn(file, text, from);
  if (before === undefined) return undefined;
  const section = findSection(text, from);
  const edited =
    section === undefined
      ? text
      : `${text.slice(0, section.start)}[hooks.${keyFor(to)}]${text.slice(section.headEnd)}`;
  if (JSON.stringify(overrideIn(file, edited, to)) !== JSON.stringify(before))
    throw unwritable(file, to, `the settings of ${from}`);
  return edited;
}

interface Section {
  readonly start: number;
  /** Behind its title. */
  readonly headEnd: number;
  readonly end: number;
}

function findSection(text: string, name: string): Section | undefined {
  for (const match of text.matchAll(/^[ \t]*\[[ \t]*hooks[ \t]*\.[ \t]*([^\]\n]+?)[ \t]*\]/gm)) {
    if (![name, `'${name}'`, JSON.stringify(name)].includes(normalName(match[1] ?? ""))) continue;
    const start = match.index;
    const headEnd = start + match[0].length;
    const next = /^[ \t]*\[/m.exec(text.slice(headEnd));
    return { start, headEnd, end: next === null ? text.length : headEnd + next.index };
  }
  return undefined;
}

function withLine(text: string, { headEnd, end }: Section, key: Switch, line: string): string {
  const body = text.slice(headEnd, end);
  const present = new RegExp(`^[ \\t]*${key}[ \\t]*=.*$`, "m");
  const edited = present.test(body)
    ? body.replace(present, line)
    : body.replace(/^(.*)(\n|$)/, (_, rest: string) => `${rest}\n${line}\n`);
  return text.slice(0, headEnd) + edited + text.slice(end);
}

function keyFor(name: string): string {
  return /^[A-Za-z0-9_-]+$/.test(name) ? name : JSON.stringify(name);
}

function overrideIn(file: string, text: string, name: string) {
  return parseOverrides(file, text).byName.get(name);
}

function readToml(file: string): string {
  const read = readSmallText(file);
  if (read === undefined) return "";
  if ("problem" in read) throw new UsageError(`${formatPath(file)} cannot be used: ${read.problem}.`);
  const finding = parseOverrides(file, read.text).findings.find(({ severity }) => severity === "error");
  if (finding === undefined) return read.text;
  throw new UsageError(
    `${formatPath(file)}${finding.line === undefined ? "" : `:${finding.line}`}: ${finding.message}`,
    "Correct it, then run this again.",
  );
}

function unwritable(file: string, name: string, what: string): UsageError {
  return new UsageError(
    `${formatPath(file)} cannot be edited here: its settings of ${name} are not a table of their own.`,
    `Write ${what} into [hooks.${keyFor(name)}] by hand, then run this again.`,
  );
}

/** Replaces the text of a user's file. A link stays one, and the mode is kept. */
export function replaceText(file: string, text: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  const target = stats === undefined ? file : realpathSync(file);
  replacePlainFile(target, text);
  chmodSync(target, stats === undefined ? 0o644 : stats.mode & 0o777);
}
