import { looksSecret } from "@tenterhook/engine/process";
import { FAMILIES, HARMLESS, LANGUAGES, PATH_LISTS, PATHS } from "./variable-families.ts";

/** What becomes of a variable, by its name. */
export type VariableRule =
  | { readonly type: "pass" | "secret" | "path_list" | "path" | "language" }
  | { readonly type: "removed"; readonly steers: string };

const PASS: VariableRule = { type: "pass" };

const fixed = new Map<string, VariableRule>([
  ...HARMLESS.map((name) => [name, PASS] as const),
  ...PATH_LISTS.map((name) => [name, { type: "path_list" }] as const),
  ...LANGUAGES.map((name) => [name, { type: "language" }] as const),
  ...PATHS.map((name) => [name, { type: "path" }] as const),
]);

// On Windows names have no case.
const FLAGS = process.platform === "win32" ? "i" : "";
const ANY = new RegExp(`^(?:${FAMILIES.flatMap(({ names }) => names.map(asPattern)).join("|")})$`, FLAGS);

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
  const rule = fixed.get(FLAGS === "i" ? name.toUpperCase() : name) ?? fixed.get(name);
  if (rule !== undefined) return rule;
  if (looksSecret(name)) return { type: "secret" };
  if (!ANY.test(name)) return PASS;
  const family = FAMILIES.find(({ names }) =>
    names.some((each) => new RegExp(`^${asPattern(each)}$`, FLAGS).test(name)),
  );
  return { type: "removed", steers: family?.steers ?? "programs" };
}

function asPattern(name: string): string {
  return name.replaceAll("*", ".*");
}
