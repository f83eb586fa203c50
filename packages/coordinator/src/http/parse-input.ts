import { didYouMean, shortened } from "@tenterhook/internal";
import { z } from "zod";
import { Problem, type ProblemCode } from "../problem.ts";
import { fittingIssues } from "./fitting-issues.ts";

/** Reads a part of a request by its schema; an error names the field and, for a misspelling, the likely word. */
export function parseInput<S extends z.ZodType>(
  schema: S,
  value: unknown,
  code: ProblemCode = "bad_request",
): z.output<S> {
  const read = readInput(schema, value, code);
  if (read.problem !== undefined) throw read.problem;
  return read.data;
}

/** The same, with the problem as a value. */
export function readInput<S extends z.ZodType>(
  schema: S,
  value: unknown,
  code: ProblemCode = "bad_request",
): { readonly data: z.output<S>; readonly problem?: undefined } | { readonly problem: Problem } {
  const read = schema.safeParse(value, { reportInput: true });
  if (read.success) return { data: read.data };
  return { problem: createProblem(schema, fittingIssues(read.error.issues, value), code) };
}

function createProblem(schema: z.ZodType, issues: readonly z.core.$ZodIssue[], code: ProblemCode): Problem {
  const [issue] = issues;
  if (issue === undefined) return new Problem(code, "it does not fit");
  const others = issues.length - 1;
  const more = others === 0 ? "" : ` (and ${others} more)`;
  if (issue.code === "unrecognized_keys") {
    const [key = ""] = issue.keys;
    const known = issue.path.length === 0 && schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
    return new Problem(code, `there is no field "${shortText(key)}"${more}`, {
      field: formatField([...issue.path, key]),
      hint: didYouMean(key, known) || undefined,
    });
  }
  const field = formatField(issue.path);
  if (issue.code === "invalid_value" && typeof issue.input === "string" && issue.values.length > 1) {
    const known = issue.values.map(String);
    return new Problem(code, `"${shortText(issue.input)}" is none of ${known.join(", ")}${more}`, {
      field: field === "" ? undefined : field,
      hint: didYouMean(issue.input, known) || undefined,
    });
  }
  return new Problem(code, `${field === "" ? "it" : field}: ${shortText(issue.message)}${more}`, {
    field: field === "" ? undefined : field,
  });
}

/** Long input is shortened in messages. */
function shortText(text: string): string {
  return shortened(text, 200);
}

function formatField(path: readonly PropertyKey[]): string {
  return shortText(path.map((part) => shortText(String(part))).join("."));
}
