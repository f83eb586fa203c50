import { dirname, resolve } from "node:path";
import { type Catalogue, FileHooks, findLocations, formatFinding } from "@tenterhook/file-hooks";
import { hookFileIn } from "@tenterhook/file-hooks/discover";
import { readHookFile } from "@tenterhook/file-hooks/parse";
import type { Finding } from "@tenterhook/protocol";
import { duplicateNames } from "../check/duplicate-names.ts";
import { enforcementFindings } from "../check/enforcement-findings.ts";
import { fileFindings } from "../check/file-findings.ts";
import { nameFindings } from "../check/name-findings.ts";
import { findNativeNames, formatNativeNames } from "../check/native-names.ts";
import { scriptFindings } from "../check/script-findings.ts";
import { misspelledHook, strayFolders } from "../check/stray-folders.ts";
import { templateFindings } from "../check/template-findings.ts";
import { namedClients } from "../clients/named-clients.ts";
import { defineCommand, EXIT } from "../command.ts";
import { formatPath } from "../format-hook.ts";
import { hookFolders, isHookFolder, NO_HOOKS } from "../hook-folders.ts";
import { withoutNames } from "../named-folders.ts";
import { count, green, print, printable, printJson, red, yellow } from "../terminal.ts";

export const check = defineCommand({
  usage: "check [NAME|PATH…] [--client C]",
  about:
    "Reports problems of hooks: frontmatter, patterns, scripts, names. A PATH is a hook's folder or a folder of hooks;\n" +
    "default: all hooks of this folder. Runs nothing and needs no trust. Exit 1 on any finding.",
  options: {
    client: {
      type: "list",
      value: "C",
      about: "also say which hooks this coding agent does not enforce fully; several, with commas",
    },
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
