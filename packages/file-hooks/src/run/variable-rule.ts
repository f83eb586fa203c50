import { looksSecret } from "@tenterhook/engine/process";
import { FAMILIES, HARMLESS, LANGUAGES, PATH_LISTS, PATHS } from "./variable-families.ts";

/** What becomes of a variable, by its name. */
export type VariableRule =
  | { readonly type: "pass" | "secret" | "path_list" | "path" | "language" }
  | { readonly type: "removed"; readonly steers: string };

const PASS: VariableRule = { type: "pass" };

// On Windows names have no case.
const asKey = (name: string) => (process.platform === "win32" ? name.toUpperCase() : name);

/** The rules of whole names, and of beginnings of names. Compared as text: to compile a pattern takes longer, and an agent waits. */
const whole = new Map<string, VariableRule>();
const beginnings: (readonly [string, VariableRule])[] = [];

for (const { steers, names } of FAMILIES) {
  const rule: VariableRule = { type: "removed", steers };
  for (const name of names) {
    if (name.endsWith("*")) beginnings.push([asKey(name.slice(0, -1)), rule]);
    else whole.set(asKey(name), rule);
  }
}
// After the families, of which some are members.
for (const name of HARMLESS) whole.set(asKey(name), PASS);
for (const name of PATH_LISTS) whole.set(asKey(name), { type: "path_list" });
for (const name of PATHS) whole.set(asKey(name), { type: "path" });
for (const name of LANGUAGES) whole.set(asKey(name), { type: "language" });

// The same names come with every process, and a project can invent others.
const known = new Map<string, VariableRule>();
const MOST_KNOWN = 10_000;

export function variableRule(name: string): VariableRule {
  let rule = known.get(name);
  if (rule === undefined) {
    rule = findRule(name);
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(name, rule);
  }
  return rule;
}

function findRule(name: string): VariableRule {
  const key = asKey(name);
  const rule = whole.get(key);
  if (rule !== undefined) return rule;
  if (looksSecret(name)) return { type: "secret" };
  return beginnings.find(([beginning]) => key.startsWith(beginning))?.[1] ?? PASS;
}
