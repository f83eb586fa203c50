import fc from "fast-check";
import { mutated, mutation } from "../mutate-json.ts";
import { oddText, writeOut } from "../odd-values.ts";

/** The frontmatter that mutations begin with. */
const BASES = [
  { name: "other", description: "Another hook", trigger: "before_tool" },
  {
    name: "other",
    description: "Another hook",
    trigger: "before_tool",
    matcher: { tool: "Shell", pattern: "a+" },
    timeout: 100,
    priority: 900,
    on_error: "continue",
    metadata: { env: ["HOME"], overridable: true },
  },
  {
    name: "guard",
    description: "The same name",
    trigger: "before_tool",
    action: "block",
    reason: "no",
    async: false,
  },
];

const YAML_ODDITIES = [
  "a: &a [*a]",
  "a: &a {b: *a}",
  "x: &x [1]\ny: [*x, *x, *x, *x]",
  "<<: *nothing",
  "? [complex]\n: key",
  "!!js/function 'return 1'",
  "key: !!binary not-base64",
  "%TAG ! tag:x,2026:",
  "--- \n---",
  "\t- tab",
  "a: |\n  text\n b",
  "{".repeat(40),
  "date: 2026-11-15",
  "on: yes",
  "1: 2",
  "~: null",
];

/** The text of a HOOK.md: fields with changes, then YAML that no serialiser would write. */
export const hookFileText: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(...BASES),
    fc.array(mutation, { maxLength: 3 }),
    fc.constantFrom(
      "",
      "",
      "",
      ...YAML_ODDITIES,
      "@@letters:70000@@",
      "deep: @@brackets:200@@",
      "deep: @@brackets:20000@@",
    ),
    fc.constantFrom("---\n", "---\n", "---\n", "---\r\n", "\uFEFF---\n", "--- \n", "", "\n---\n"),
    fc.constantFrom("\n---\n", "\n---\n", "\n---\n", "\n...\n", "", "\r\n---\r\n"),
    oddText,
  )
  .map(
    ([base, mutations, oddity, head, tail, rest]) =>
      `${head}${yaml(mutated(base, mutations))}${oddity}${tail}${rest}`,
  );

export function hookFileBytes(text: string): string {
  return writeOut(text).replaceAll(/@@brackets:(\d+)@@/g, (_, size: string) => "[".repeat(Number(size)));
}

/** One field a line, each written as JSON, which is YAML. */
function yaml(value: unknown): string {
  if (typeof value !== "object" || value === null) return `${JSON.stringify(value)}\n`;
  const lines = Object.entries(value).map(([key, field]) => `${keyText(key)}: ${JSON.stringify(field)}\n`);
  return lines.join("");
}

function keyText(key: string): string {
  return /^[a-z_]+$/.test(key) ? key : JSON.stringify(key);
}
