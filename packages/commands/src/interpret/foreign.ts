import { findProgram } from "../programs/index.ts";
import { findRow, runRow } from "../programs/run-row.ts";
import { WINDOWS } from "../programs/windows.ts";
import { isShell, startedBy } from "../started-commands.ts";
import { absoluteValue } from "../targets.ts";
import { CLASSES, carries, isTyped, UNKNOWN } from "../values.ts";
import { portOf } from "./command.ts";
import { captured, inputOf, note, noteExecution, type Process, print, step, writeFile } from "./state.ts";

/** What a line has that is more than plain commands: variables, blocks and expressions. */
const EXPRESSION = /[$`@{}%^()]/;
const RUNS_TEXT = /\b(?:iex|invoke-expression)\b|\[scriptblock\]|^\s*&\s*\(/i;
const FROM_AWAY =
  /\b(?:iwr|irm|curl|wget|invoke-webrequest|invoke-restmethod|downloadstring|downloaddata|net\.webclient|start-bitstransfer)\b/i;
const DECODED = /frombase64string|-e(?:nc?|ncodedcommand)?\s+[A-Za-z0-9+/=]{16,}/i;
const REDIRECTION = /\d?>>?\s*(?:"([^"]*)"|([^\s>"']+))$/;
const HOME = /^(?:~|\$home|\$env:(?:userprofile|home)|%userprofile%|%homepath%)(?=[\\/]|$)/i;

/**
 * A line of PowerShell or `cmd`: plain commands that a table has are understood, pipes between them, and redirections to files. Whatever else there is
 * makes it unreadable, and its commands count nevertheless.
 */
export function runForeignText(process: Process, text: string, language: "powershell" | "cmd"): void {
  noteExecution(process, text);
  if (RUNS_TEXT.test(text) && FROM_AWAY.test(text)) note(process, "execute.remote");
  if (DECODED.test(text)) note(process, "execute.decoded");
  let isReadable = !EXPRESSION.test(text.replace(/\$home|\$env:(?:userprofile|home)|%userprofile%/gi, ""));
  for (const line of text.split(/&&|\|\||[;&\n]+/)) {
    const stages = line.split("|").map((stage) => stage.trim());
    let input = inputOf(process);
    for (const [index, stage] of stages.entries()) {
      if (stage === "") continue;
      const descriptors = new Map(process.descriptors).set(0, { input });
      const run = (inner: Process) => {
        if (!runStage(inner, stage, language)) isReadable = false;
      };
      if (stages.length === 1) run(process);
      else if (index === stages.length - 1) run({ ...process, descriptors });
      else input = captured(process, run, input);
    }
  }
  if (!isReadable) note(process, "unreadable", [], "it is no line of a POSIX shell");
}

/** Runs one command. Returns whether it is understood. */
function runStage(process: Process, stage: string, language: "powershell" | "cmd"): boolean {
  step(process);
  const redirection = REDIRECTION.exec(stage);
  const command = stage.slice(0, redirection?.index);
  const file = redirection?.[1] ?? redirection?.[2];
  if (file !== undefined && !/^(?:&\d|nul|\$null)$/i.test(file))
    writeFile(process, pathOf(process, file), UNKNOWN);
  const isPlain = !/[<>]/.test(command.replace(/"[^"]*"|'[^']*'/g, ""));
  const parts = command.match(/"[^"]*"|'[^']*'|[^\s]+/g) ?? [];
  const [first = "", ...rest] = parts.map((part) => pathOf(process, part.replace(/^(["'])(.*)\1$/s, "$2")));
  const name = first
    .toLowerCase()
    .replace(/^.*\//s, "")
    .replace(/\.exe$/, "");
  if (/^(?:cd|chdir|set-location|sl)$/.test(name)) {
    const folder = rest.findLast((word) => !/^[-/]\w*$/.test(word));
    if (folder !== undefined) process.folder = absoluteValue(folder, process.folder) || UNKNOWN;
    return true;
  }
  process.command = stage;
  const row = findRow(WINDOWS, name);
  if (row !== undefined) {
    const flags = { readsTyped: isTyped(inputOf(process)), runsTyped: false, isStarter: false };
    process.reading.commands.push({ words: [name, ...rest], where: process.where, ...flags });
    const options = rest.map((word) => optionOf(word, language));
    runRow(
      row,
      name,
      options,
      portOf(process, (inner, text) => runForeignText(inner, text, language)),
    );
    return isPlain;
  }
  const words = [name, ...rest];
  const isProgram = findProgram(name) !== undefined || isShell(name) || startedBy(words).length > 0;
  if (isProgram) process.reading.runWords(process, words);
  else print(process, UNKNOWN + (carries(inputOf(process), "remote") ? CLASSES.remote : ""));
  return isProgram && isPlain;
}

/** `-Recurse` and `/mir` as long options, `/s` as a letter. */
function optionOf(word: string, language: "powershell" | "cmd"): string {
  const written = language === "cmd" ? /^\/([A-Za-z?]+)(:.*)?$/s : /^-([A-Za-z]+)(:.*)?$/s;
  const [, name, value = ""] = written.exec(word) ?? [];
  if (name === undefined) return word;
  const dashes = language === "cmd" && name.length === 1 ? "-" : "--";
  return dashes + name.toLowerCase() + value.replace(/^:/, "=");
}

/** With `/` between its names. What a variable stands for is not known. */
function pathOf({ reading }: Process, word: string): string {
  return word
    .replace(HOME, () => reading.home ?? UNKNOWN)
    .replaceAll("\\", "/")
    .replace(/\$\{?[\w:]+\}?|%\w+%|\([^)]*\)?/g, UNKNOWN);
}
