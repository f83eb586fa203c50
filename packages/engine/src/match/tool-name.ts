import { TenterhookError } from "@tenterhook/protocol";
import type { Match, Matcher } from "./match.ts";
import { compilePattern } from "./pattern.ts";
import type { PatternBudget } from "./pattern-budget.ts";

/** Models invent tool names; no real one is longer than this. */
export const LONGEST_TOOL_NAME = 512;

/** Matches a tool by name: exact (`Shell`), glob (`read_*`) or regular expression (`/^(read|write)_/`, or a RegExp). */
export function toolName(pattern: string | RegExp): Matcher<true> {
  const test = nameTest(pattern);
  const plan = (name: string | undefined, budget: PatternBudget): Match => {
    if (name === undefined) return "no";
    return name.length > LONGEST_TOOL_NAME ? "unknown" : test(name, budget);
  };
  return {
    description: `tool ${String(pattern)}`,
    needsTool: true,
    plan: (_event, name, budget) => plan(name, budget),
    match: (subject, budget) => plan(subject.toolName, budget),
  };
}

type Test = (name: string, budget: PatternBudget) => Match;

function nameTest(pattern: string | RegExp): Test {
  if (pattern instanceof RegExp) return searching(pattern);
  if (typeof pattern !== "string" || pattern === "") {
    throw new TenterhookError("bad_matcher", "a tool matcher needs a name, a glob or a /regex/.", {
      hint: 'Use "*" to match every tool.',
    });
  }
  const regex = /^\/(.*)\/([a-z]*)$/s.exec(pattern);
  if (regex !== null) return searching({ source: regex[1] ?? "", flags: regex[2] ?? "" });
  if (!/[*?]/.test(pattern)) return (name) => (name === pattern ? "yes" : "no");
  return (name) => (globMatches(pattern, name) ? "yes" : "no");
}

function searching(pattern: { readonly source: string; readonly flags: string }): Test {
  return compilePattern(pattern.source, pattern.flags).search;
}

/** Greedy glob matching in the time of both lengths multiplied, never more. */
export function globMatches(glob: string, text: string): boolean {
  let g = 0;
  let t = 0;
  let star = -1;
  let mark = 0;
  while (t < text.length) {
    if (g < glob.length && glob[g] === "*") {
      star = g++;
      mark = t;
    } else if (g < glob.length && (glob[g] === "?" || glob[g] === text[t])) {
      g++;
      t++;
    } else if (star >= 0) {
      g = star + 1;
      t = ++mark;
    } else {
      return false;
    }
  }
  while (glob[g] === "*") g++;
  return g === glob.length;
}
