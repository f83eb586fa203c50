import { basename, join } from "node:path";
import { findLocations, formatFinding } from "@tenterhook/file-hooks";
import { hookFileIn } from "@tenterhook/file-hooks/discover";
import { readHookFile } from "@tenterhook/file-hooks/parse";
import { messageOf } from "@tenterhook/internal";
import type { Finding, HookFile } from "@tenterhook/protocol";
import { type HookCase, readCases } from "../cases/case-file.ts";
import { type CaseResult, runCase } from "../cases/run-case.ts";
import { defineCommand, EXIT, option } from "../command.ts";
import { NO_HOOKS } from "../find-hooks.ts";
import { formatPath } from "../format-hook.ts";
import { hookFolders, withoutNames } from "../hook-folders.ts";
import { untilInterrupted } from "../interrupt.ts";
import { inOwnSession } from "../own-session.ts";
import {
  bold,
  dim,
  duration,
  green,
  oneLine,
  print,
  printable,
  printJson,
  red,
  yellow,
} from "../terminal.ts";

/** A hook with the results of its cases. */
interface TestedHook {
  readonly name: string;
  readonly folder: string;
  readonly findings: readonly Finding[];
  readonly results: readonly (CaseResult & { readonly hookCase: HookCase })[];
}

export const test = defineCommand({
  usage: "test [NAME|PATH…] [--strict]",
  about:
    "Runs the test cases in tests/*.yaml of hooks: an event and the expected result. Only that hook runs, trusted or not.\n" +
    "A PATH is a hook's folder or a folder of hooks; default: all hooks of this folder. Exit 1 on a failure.",
  options: { strict: option.flag("also fail when a hook has no cases") },
  arguments: { min: 0, max: Number.POSITIVE_INFINITY },
  examples: [
    { command: "tenterhook test", means: "all hooks of this folder" },
    { command: "tenterhook test no-force-push", means: "one hook, by its name" },
    {
      command: "tenterhook test .agents/hooks --strict",
      means: "in CI: every hook must have tests that pass",
    },
  ],
  async run({ strict, json }, args) {
    const tested: TestedHook[] = [];
    const isInterrupted = await untilInterrupted(async (signal) => {
      for (const folder of hookFolders(withoutNames(args))) {
        if (signal.aborted) break;
        const hook = await testHook(folder, signal);
        tested.push(hook);
        if (!json) printHook(hook);
      }
      return signal.aborted;
    });
    const failed = tested.reduce(
      (sum, { results, findings }) => sum + results.filter(isFailure).length + findings.length,
      0,
    );
    const passed = tested.reduce(
      (sum, { results }) => sum + results.filter((result) => !isFailure(result)).length,
      0,
    );
    if (json) printJson({ passed, failed, hooks: tested.map(asData) });
    else {
      if (tested.length === 0) print(NO_HOOKS);
      print((failed > 0 ? red : green)(`${passed} passed, ${failed} failed`));
    }
    if (isInterrupted) return EXIT.interrupted;
    const isUntested = tested.length === 0 || tested.some(hasNoCases);
    return failed > 0 || (strict && isUntested) ? EXIT.wrong : EXIT.ok;
  },
});

async function testHook(folder: string, signal: AbortSignal): Promise<TestedHook> {
  const { hook, findings: hookFindings } = readHookFile(hookFileIn(folder));
  const errors = hookFindings.filter(({ severity }) => severity === "error");
  const { cases, findings } = readCases(folder);
  const results = hook === undefined ? [] : await runAll(folder, hook, cases, signal);
  return { name: hook?.name ?? basename(folder), folder, findings: [...errors, ...findings], results };
}

async function runAll(
  folder: string,
  hook: HookFile,
  cases: readonly HookCase[],
  signal: AbortSignal,
): Promise<TestedHook["results"]> {
  const { project, cwd, state } = findLocations(folder);
  const projectDir = project ?? cwd;
  const results: (CaseResult & { readonly hookCase: HookCase })[] = [];
  for (const hookCase of cases) {
    if (signal.aborted) break;
    const result = await inOwnSession("test", state, (sessionId) =>
      runCase(hook, hookCase, { folder, projectDir, state, sessionId }, signal).catch(
        (error: unknown): CaseResult => ({
          problems: [messageOf(error)],
          durationMs: undefined,
          log: undefined,
          notes: [],
        }),
      ),
    );
    results.push({ hookCase, ...result });
  }
  return results;
}

function isFailure({ problems }: CaseResult): boolean {
  return problems.length > 0;
}

function hasNoCases({ results, findings }: TestedHook): boolean {
  return results.length === 0 && findings.length === 0;
}

function printHook(hook: TestedHook): void {
  print(`${bold(oneLine(hook.name))} ${dim(formatPath(hook.folder))}`);
  for (const finding of hook.findings)
    print(`  ${red("✗")} ${printable(formatFinding({ ...finding, file: formatPath(finding.file) }))}`);
  for (const { hookCase, problems, durationMs, log, notes } of hook.results) {
    const mark = problems.length > 0 ? red("✗") : green("✓");
    print(`  ${mark} ${oneLine(hookCase.name)} ${dim(duration(durationMs))}`.trimEnd());
    for (const problem of problems) print(`      ${oneLine(problem)}`);
    for (const note of notes) print(`      ${yellow("!")} ${oneLine(note)}`);
    if (problems.length > 0) print(dim(`      ${formatPath(hookCase.file)}:${hookCase.line}`));
    if (problems.length > 0 && log !== undefined) print(dim(`      output: ${oneLine(log)}`));
  }
  if (hasNoCases(hook))
    print(dim(`  no tests; add cases to ${formatPath(join(hook.folder, "tests"))}/*.yaml`));
}

function asData({ name, folder, findings, results }: TestedHook): Record<string, unknown> {
  return {
    hook: name,
    folder,
    findings,
    cases: results.map(({ hookCase, problems, durationMs, log, notes }) => ({
      name: hookCase.name,
      file: hookCase.file,
      line: hookCase.line,
      passed: problems.length === 0,
      problems,
      duration_ms: durationMs ?? null,
      ...(log !== undefined && { log }),
      ...(notes.length > 0 && { notes }),
    })),
  };
}
