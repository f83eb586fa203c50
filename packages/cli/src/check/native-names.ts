import { compilePattern, PatternBudget } from "@tenterhook/engine/internal";
import type { HookFile } from "@tenterhook/protocol";
import { CANONICAL_TOOLS, canonicalTools, listMatchers, nativeNames } from "@tenterhook/protocol/internal";

/** A coding agent's name of a tool in a hook's matcher, and the canonical tools that it means there. */
export interface NativeName {
  readonly hook: string;
  readonly name: string;
  readonly tools: readonly string[];
}

/**
 * The coding agents' names by which a hook's matcher finds a tool. For a tool that it also finds by its canonical name, only those that are
 * written in it.
 */
export function findNativeNames(hook: HookFile): readonly NativeName[] {
  return (listMatchers(hook) ?? []).flatMap(({ tool }) => namesIn(hook.name, tool));
}

function namesIn(hook: string, tool: string | undefined): readonly NativeName[] {
  const pattern = usablePattern(tool);
  if (pattern === undefined) return [];
  const written = new Set(pattern.source.match(/\w+/g));
  const budget = new PatternBudget();
  const isMeant = (name: string, tool: string) => written.has(name) || pattern.search(tool, budget) === "no";
  return [...new Set(CANONICAL_TOOLS.flatMap(nativeNames))]
    .filter((name) => pattern.matchesWhole(name))
    .map((name) => ({ hook, name, tools: canonicalTools(name).filter((tool) => isMeant(name, tool)) }))
    .filter(({ tools }) => tools.length > 0);
}

function usablePattern(tool: string | undefined) {
  try {
    return tool === undefined ? undefined : compilePattern(tool);
  } catch {
    // It counts as matching every tool, which is a finding of its own.
    return undefined;
  }
}

/** Those of one hook as a line; empty when it has none. */
export function formatNativeNames(names: readonly NativeName[]): string {
  const means = names.map(({ name, tools }) => `${name} means ${tools.join(" and ")}`);
  return names[0] === undefined ? "" : `${names[0].hook}: in matcher.tool, ${means.join(", ")}`;
}
