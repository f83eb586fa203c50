import { PatternBudget } from "@tenterhook/engine/internal";
import { hookFileIn, matcherOf } from "@tenterhook/file-hooks/discover";
import type { Finding, HookFile } from "@tenterhook/protocol";
import {
  CANONICAL_TOOLS,
  canonicalTools,
  EFFECT_NAMES,
  type EffectName,
  type FileMatcher,
  isEffect,
  listMatchers,
  toolKind,
} from "@tenterhook/protocol/internal";

/** Matchers that match no call, whatever it does: a rule with one of them looks as if it were enforced. */
export function matcherFindings(folder: string, hook: HookFile): readonly Finding[] {
  const matchers = listMatchers(hook) ?? [];
  return matchers.flatMap((matcher, index) => {
    const why = whyNever(matcher);
    const field = matchers.length === 1 ? "matcher" : `matcher.${index}`;
    const message = `${field} can never match: ${why}`;
    return why === undefined ? [] : [{ severity: "warning", file: hookFileIn(folder), field, message }];
  });
}

function whyNever({ tool, effect, path, notPath, host }: FileMatcher): string | undefined {
  if (effect === undefined) return undefined;
  const names = EFFECT_NAMES.filter((name) => effect.some((each) => isEffect(name, each)));
  const list = effect.join(" and ");
  if (path !== undefined && !names.some((name) => WITH_PATH.includes(name)))
    return `${list} has no path, so omit path`;
  if (host !== undefined && !names.some((name) => WITH_HOST.includes(name)))
    return `${list} has no host, so omit host`;
  if (path?.every((each) => notPath?.includes(each)))
    return `not_path has all that path has (${path.join(", ")})`;
  return tool === undefined ? undefined : whyNeverTool(tool);
}

/** Effects whose targets are paths, and hosts, as docs/reference/effects.md lists them. */
const WITH_PATH: readonly EffectName[] = [
  ...(["read", "write", "write.secret", "delete", "delete.recursive", "move", "permissions"] as const),
  ...(["permissions.recursive", "device", "device.volume", "execute.file"] as const),
  ...(["discard.worktree", "discard.untracked", "discard.ignored", "discard.linked"] as const),
];
const WITH_HOST: readonly EffectName[] = ["send", "send.secret", "send.environment", "send.folder"];

/** A tool that is known, and does nothing that has an effect. A tool that is not known may be one that a program describes by `effectsOf`. */
function whyNeverTool(tool: string): string | undefined {
  const matcher = matcherOf({ matcher: { tool } });
  const matches = (name: string) => matcher?.plan("before_tool", name, new PatternBudget()) !== "no";
  const names = [...CANONICAL_TOOLS.filter(matches), ...(/^\w+$/.test(tool) ? canonicalTools(tool) : [])];
  if (names.length === 0 || names.some((name) => toolKind(name) !== "nothing")) return undefined;
  return `${names.join(" and ")} has no effects`;
}
