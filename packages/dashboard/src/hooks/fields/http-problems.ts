import { isJsonObject } from "../../editing/json-object.ts";
import type { FieldProblem } from "../../editing/problems.ts";

/** A header's name, by the rules of HTTP. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Headers that the coordinator sets itself. */
const OURS =
  /^(?:accept-encoding|connection|content-length|expect|host|idempotency-key|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade|user-agent|tenterhook-.*)$/i;

/** What would only come to light when the hook is called: it is told while one writes it. */
export function httpProblems(hook: unknown, path: string): FieldProblem[] {
  if (!isJsonObject(hook) || hook.type !== "http") return [];
  const problems: FieldProblem[] = [];
  const wrong = (field: string, message: string) =>
    problems.push({ path: `${path === "" ? "" : `${path}.`}${field}`, message, isMissing: false });
  const { url, headers } = hook;
  if (typeof url === "string" && URL.canParse(url) && hasPassword(new URL(url))) {
    wrong("url", "Has a user or a password in it; send an Authorization header instead");
  }
  if (isJsonObject(headers)) {
    const message = headersProblem(headers);
    if (message !== undefined) wrong("headers", message);
  }
  return problems;
}

function headersProblem(headers: Readonly<Record<string, unknown>>): string | undefined {
  const seen = new Set<string>();
  for (const [name, value] of Object.entries(headers)) {
    if (name === "") return "A header has no name";
    if (!TOKEN.test(name)) return `"${name}" cannot be the name of a header`;
    if (OURS.test(name)) return `${name} cannot be set: the coordinator sets it`;
    if (seen.has(name.toLowerCase())) return `${name} is given twice, in different letters`;
    seen.add(name.toLowerCase());
    const variables = [...String(value).matchAll(/\$\{([^}]*)\}/g)].map(([, variable = ""]) => variable);
    if (variables.some((variable) => !VARIABLE.test(variable)))
      return `${name} has a \${…} that names no variable`;
  }
  return undefined;
}

function hasPassword({ username, password }: URL): boolean {
  return username !== "" || password !== "";
}
