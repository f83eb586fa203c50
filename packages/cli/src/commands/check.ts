import { readFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import type { Client } from "@tenterhook/bridges";
import { findEnforcement } from "@tenterhook/bridges/coverage";
import { type Catalogue, FileHooks, findLocations, formatFinding } from "@tenterhook/file-hooks";
import { hookFileIn } from "@tenterhook/file-hooks/discover";
import { readHookFile } from "@tenterhook/file-hooks/parse";
import { findEntryPoint } from "@tenterhook/file-hooks/run";
import type { Finding, HookFile } from "@tenterhook/protocol";
import { normalName } from "@tenterhook/protocol/internal";
import { fileFindings, misspelledHook, strayFolders } from "../check/file-findings.ts";
import { matcherFindings } from "../check/matcher-findings.ts";
import { findNativeNames, formatNativeNames } from "../check/native-names.ts";
import { scriptFindings } from "../check/script-findings.ts";
import { scriptOf } from "../clients/enforcement.ts";
import { namedClients } from "../clients/named-clients.ts";
import { defineCommand, EXIT, option } from "../command.ts";
import { isHookFolder, NO_HOOKS } from "../find-hooks.ts";
import { formatPath } from "../format-hook.ts";
import { hookFolders, withoutNames } from "../hook-folders.ts";
import { BODY_TO_REPLACE } from "../init/hook-md.ts";
import { RULES_TO_REPLACE } from "../init/scripts.ts";
import { count, green, print, printable, printJson, red, yellow } from "../terminal.ts";

export const check = defineCommand({
  usage: "check [NAME|PATH…] [--client C]",
  about:
    "Reports problems of hooks: frontmatter, patterns, scripts, names. A PATH is a hook's folder or a folder of hooks;\n" +
    "default: all hooks of this folder. Runs nothing and needs no trust. Exit 1 on any finding.",
  options: {
    client: option.list(
      "C",
      "also say which hooks this coding agent does not enforce fully; several, with commas",
    ),
  },
  arguments: { min: 0, max: Number.POSITIVE_INFINITY },
  examples: [
    { command: "tenterhook check", means: "all hooks of this folder" },
    { command: "tenterhook check --client codex", means: "is every hook enforced in Codex CLI?" },
    { command: "tenterhook check no-force-push", means: "one hook, by its name" },
    { command: "tenterhook check .agents/hooks", means: "a project's hooks, for example in CI" },
  ],
  async run({ json, client: names }, args) {
    const paths = withoutNames(args);
    const clients = await namedClients(names);
    const strays = strayFindings(paths);
    const folders = hookFolders(paths, new Set(strays.map(({ path }) => path)));
    const read = folders.map((folder) => ({ folder, ...readHookFile(hookFileIn(folder)) }));
    const catalogue = await new FileHooks({ trustAll: true }).catalogue();
    const findings = unique([
      ...strays.flatMap(({ findings: own }) => own),
      ...read.flatMap(({ findings: own }) => own),
      ...folders.flatMap(fileFindings),
      ...read.flatMap(({ folder, hook }) =>
        hook === undefined
          ? []
          : [
              ...nameFindings(folder, hook.name),
              ...scriptFindings(folder, hook),
              ...matcherFindings(folder, hook),
              ...templateFindings(folder),
              ...clients.flatMap((client) => enforcementFindings(client, folder, hook)),
            ],
      ),
      ...duplicateNames(
        read.flatMap(({ folder, hook }) => (hook === undefined ? [] : { folder, name: hook.name })),
      ),
      ...catalogueFindings(catalogue, folders, paths.length === 0),
    ]);
    const notEnforced = read.flatMap(({ folder, hook }) => {
      // With what a hooks.toml sets, for hooks that count in this folder.
      const { enforce } = catalogue.hooks.find((each) => each.folder === folder)?.hook ?? hook ?? {};
      return hook !== undefined && enforce === false ? [hook.name] : [];
    });
    const nativeNames = read.map(({ hook }) => (hook === undefined ? [] : findNativeNames(hook)));
    if (json) {
      const data = { hooks: folders.length, not_enforced: notEnforced, native_names: nativeNames.flat() };
      printJson({ ...data, findings });
    } else {
      for (const line of nativeNames.map(formatNativeNames).filter(Boolean)) print(printable(line));
      printFindings(findings, folders.length);
      if (notEnforced.length > 0) print(yellow(printable(`not enforced: ${notEnforced.join(", ")}`)));
    }
    return findings.length === 0 ? EXIT.ok : EXIT.wrong;
  },
});

/** Folders in hooks roots that are not hooks, by path. */
function strayFindings(paths: readonly string[]) {
  const { userHooks, projectHooks } = findLocations(process.cwd());
  const roots =
    paths.length === 0 ? [userHooks, ...(projectHooks === undefined ? [] : [projectHooks])] : paths;
  return roots
    .filter((path) => !isHookFolder(path))
    .map((path) => ({ path, findings: misspelledHook(resolve(path)) ?? strayFolders(resolve(path)) }))
    .filter(({ findings }) => findings.length > 0);
}

/** Findings about several hooks: shadowed names, and settings of hooks.toml. */
function catalogueFindings(
  { findings }: Catalogue,
  folders: readonly string[],
  isEverything: boolean,
): readonly Finding[] {
  return isEverything ? findings : findings.filter(({ file }) => folders.includes(dirname(file)));
}

function unique(findings: readonly Finding[]): readonly Finding[] {
  return [...new Map(findings.map((finding) => [formatFinding(finding), finding])).values()];
}

function printFindings(findings: readonly Finding[], hooks: number): void {
  for (const finding of findings) {
    const { severity } = finding;
    const text = printable(formatFinding({ ...finding, file: formatPath(finding.file) }));
    print(text.replace(`: ${severity}: `, `: ${severity === "error" ? red(severity) : yellow(severity)}: `));
  }
  const of = (severity: Finding["severity"]) =>
    findings.filter((finding) => finding.severity === severity).length;
  if (hooks === 0 && findings.length === 0) print(NO_HOOKS);
  else if (findings.length === 0) print(green(`${count(hooks, "hook")} checked, no findings`));
  else print(`${count(of("error"), "error")}, ${count(of("warning"), "warning")} in ${count(hooks, "hook")}`);
}

/** A hook's folder and the name that its HOOK.md gives. */
interface NamedFolder {
  readonly folder: string;
  readonly name: string;
}

/** Hooks with the name of another hook in the same root: none of them is used. */
function duplicateNames(hooks: readonly NamedFolder[]): readonly Finding[] {
  const keyOf = ({ folder, name }: NamedFolder) => JSON.stringify([dirname(folder), name]);
  const seen = new Set<string>();
  const shared = new Set<string>();
  for (const key of hooks.map(keyOf)) (seen.has(key) ? shared : seen).add(key);
  return hooks
    .filter((each) => shared.has(keyOf(each)))
    .map(({ folder, name }): Finding => {
      const message = `there is another hook named ${name} in the same folder, so this one is not used; rename one of them`;
      return { severity: "error", file: hookFileIn(folder), field: "name", message };
    });
}

/** Warnings about the parts of a hook that a coding agent does not enforce. */
function enforcementFindings(client: Client, folder: string, hook: HookFile): readonly Finding[] {
  const { how, why } = findEnforcement(client, hook, scriptOf(folder, hook));
  return why.map((reason) => ({
    severity: "warning",
    file: hookFileIn(folder),
    message: `is ${how === "partly" ? "enforced partly" : "not enforced"} in ${client.name}: ${reason}`,
  }));
}

/** Problems of a hook's name. */
function nameFindings(folder: string, name: string): readonly Finding[] {
  const messages = [
    ...(/^-|-$/.test(name) ? ["the name should not begin or end with a hyphen"] : []),
    ...(name.includes("--") ? ["the name should not have two hyphens in a row"] : []),
    ...(name === normalName(basename(folder))
      ? []
      : [`the name is ${name}, but the folder is ${basename(folder)}; use the same name for both`]),
  ];
  const file = hookFileIn(folder);
  return messages.map((message) => ({ severity: "warning", file, field: "name", message }));
}

/** Placeholders of `init` that were not replaced. */
function templateFindings(folder: string): readonly Finding[] {
  const entry = findEntryPoint(folder);
  return [
    ...leftOver(hookFileIn(folder), [BODY_TO_REPLACE], "describe what this hook is for"),
    ...(typeof entry === "string"
      ? []
      : leftOver(entry.script, RULES_TO_REPLACE, "replace it with your own rule")),
  ];
}

function leftOver(file: string, texts: readonly string[], todo: string): readonly Finding[] {
  const lines = readText(file).split("\n");
  const index = lines.findIndex((line) => texts.some((text) => line.includes(text)));
  if (index < 0) return [];
  const message = `this is still a placeholder of tenterhook init; ${todo}`;
  return [{ severity: "warning", file, line: index + 1, message }];
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
