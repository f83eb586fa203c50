import { BoundedMap, isRecord, messageOf } from "@tenterhook/internal";
import type { Finding, HookFile } from "@tenterhook/protocol";
import { checkEffectMatcher, normalName, type RuleAction } from "@tenterhook/protocol/internal";
import { parse, type TomlError } from "smol-toml";

/** The settings of one hook in a hooks.toml. */
export interface Override {
  readonly enabled?: boolean;
  readonly priority?: number;
  readonly timeoutMs?: number;
  readonly onError?: HookFile["onError"];
  readonly enforce?: boolean;
  /** What a rule without a script answers. */
  readonly action?: RuleAction["type"];
  /** Paths and path sets that a rule lets pass besides its own. */
  readonly notPath?: readonly string[];
}

/** By the normal form of their names. */
export type ByName = ReadonlyMap<string, Override>;

/** What a hooks.toml says. */
export interface Overrides {
  readonly byName: ByName;
  readonly findings: readonly Finding[];
}

/** What was read, by file and text: a process that answers many calls finds the same text at each of them. */
const known = new BoundedMap<string, Overrides>(20);

/**
 * Reads a hooks.toml: a table per hook, `[hooks.my-hook]`, with enabled, priority, timeout, on_error, enforce, action and not_path.
 * `[daemon]` of earlier versions has no effect.
 */
export function parseOverrides(file: string, text: string): Overrides {
  const key = JSON.stringify([file, text]);
  const before = known.get(key);
  if (before !== undefined) return before;
  const overrides = parseText(file, text);
  known.set(key, overrides);
  return overrides;
}

function parseText(file: string, text: string): Overrides {
  const findings: Finding[] = [];
  const report = (message: string, field?: string, line?: number) =>
    findings.push({
      severity: "error",
      file,
      ...(line !== undefined && { line }),
      ...(field && { field }),
      message,
    });
  const byName = new Map<string, Override>();
  let document: Record<string, unknown>;
  try {
    document = parse(text);
  } catch (error) {
    const { message, line } = error as TomlError;
    report(message.split("\n")[0] ?? "it is not TOML", undefined, line);
    return { byName, findings };
  }
  const { hooks = {}, daemon, ...unknown } = document;
  if (daemon !== undefined)
    findings.push({
      severity: "warning",
      file,
      field: "daemon",
      message: "[daemon] has no effect: no process in the background answers calls any more; remove it",
    });
  for (const key of Object.keys(unknown)) report(`there is no "${key}" here; write [hooks.NAME] tables`, key);
  if (!isTable(hooks)) {
    report("hooks must be a table of hooks, such as [hooks.my-hook]", "hooks");
    return { byName, findings };
  }
  for (const [name, table] of Object.entries(hooks)) {
    const key = normalName(name);
    if (!isTable(table)) report(`hooks.${name} must be a table`, `hooks.${name}`);
    else if (byName.has(key))
      report(
        `hooks.${name} is the same name as another one here, so it has no effect; keep one of them`,
        `hooks.${name}`,
      );
    else byName.set(key, readOverride(name, table, report));
  }
  return { byName, findings };
}

function readOverride(
  name: string,
  table: Record<string, unknown>,
  report: (message: string, field: string) => void,
): Override {
  const override: { -readonly [K in keyof Override]: Override[K] } = {};
  for (const [key, value] of Object.entries(table)) {
    const field = `hooks.${name}.${key}`;
    if (key === "enabled" && typeof value === "boolean") override.enabled = value;
    else if (key === "priority" && isWhole(value, 0, 1000)) override.priority = value;
    else if (key === "timeout" && isWhole(value, 100, 600_000)) override.timeoutMs = value;
    else if (key === "on_error" && (value === "block" || value === "continue")) override.onError = value;
    else if (key === "enforce" && typeof value === "boolean") override.enforce = value;
    else if (key === "action" && (value === "block" || value === "ask")) override.action = value;
    else if (key === "not_path" && isTexts(value)) {
      const paths = [value].flat();
      const problem = pathProblem(paths);
      if (problem === undefined) override.notPath = paths;
      else report(`${field}: ${problem}`, field);
    } else
      report(
        !Object.hasOwn(EXPECTED, key) ? `there is no field ${field}` : `${field} must be ${EXPECTED[key]}`,
        field,
      );
  }
  return override;
}

const EXPECTED: Readonly<Record<string, string>> = {
  enabled: "true or false",
  priority: "a whole number from 0 to 1000",
  timeout: "milliseconds from 100 to 600000",
  on_error: '"block" or "continue"',
  enforce: "true or false",
  action: '"block" or "ask"',
  not_path: 'a path or a path set, or a list of these, such as ["scratch", "./build/**"]',
};

function isTexts(value: unknown): value is string | readonly string[] {
  return (
    typeof value === "string" || (Array.isArray(value) && value.every((each) => typeof each === "string"))
  );
}

function pathProblem(paths: readonly string[]): string | undefined {
  try {
    checkEffectMatcher({ effect: "read", notPath: paths }, "not_path");
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

function isWhole(value: unknown, least: number, most: number): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= least && value <= most;
}

function isTable(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && !(value instanceof Date);
}
