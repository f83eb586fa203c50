import { isRecord } from "@tenterhook/internal";
import type { FieldProblem } from "../../editing/problems.ts";

/** An HTTP header name. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Headers that the coordinator sets itself. */
const RESERVED =
  /^(?:accept-encoding|connection|content-length|expect|host|idempotency-key|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade|user-agent|tenterhook-.*)$/i;

/** Problems of an HTTP hook that would otherwise appear only when it is called. */
export function httpProblems(hook: unknown, path: string): FieldProblem[] {
  if (!isRecord(hook) || hook.type !== "http") return [];
  const problems: FieldProblem[] = [];
  const wrong = (field: string, message: string) =>
    problems.push({ path: `${path === "" ? "" : `${path}.`}${field}`, message, isMissing: false });
  const { url, headers } = hook;
  if (typeof url === "string" && URL.canParse(url) && hasPassword(new URL(url))) {
    wrong("url", "Must not contain a user name or password; send an Authorization header instead");
  }
  if (isRecord(headers)) {
    const message = headersProblem(headers);
    if (message !== undefined) wrong("headers", message);
  }
  return problems;
}

function headersProblem(headers: Readonly<Record<string, unknown>>): string | undefined {
  const seen = new Set<string>();
  for (const [name, value] of Object.entries(headers)) {
    if (name === "") return "A header has no name";
    if (!TOKEN.test(name)) return `"${name}" is not a valid header name`;
    if (RESERVED.test(name)) return `${name} cannot be set: the coordinator sets it`;
    if (seen.has(name.toLowerCase())) return `${name} is given twice; header names ignore case`;
    seen.add(name.toLowerCase());
    const variables = [...String(value).matchAll(/\$\{([^}]*)\}/g)].map(([, variable = ""]) => variable);
    if (variables.some((variable) => !VARIABLE.test(variable)))
      return `${name} has a \${…} that is not a variable name`;
  }
  return undefined;
}

function hasPassword({ username, password }: URL): boolean {
  return username !== "" || password !== "";
}
