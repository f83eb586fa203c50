import { nearestWord } from "@tenterhook/protocol";
import { z } from "zod";
import { Problem, type ProblemCode } from "../problem.ts";

/** Reads a part of a request by its schema; what does not fit is told with its field and, for a slip, the word meant. */
export function parseInput<S extends z.ZodType>(
  schema: S,
  value: unknown,
  code: ProblemCode = "bad_request",
): z.output<S> {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  throw problemOf(schema, read.error, code);
}

function problemOf(schema: z.ZodType, error: z.ZodError, code: ProblemCode): Problem {
  const [issue] = error.issues;
  if (issue === undefined) return new Problem(code, "it does not fit");
  const others = error.issues.length - 1;
  const more = others === 0 ? "" : ` (and ${others} more)`;
  if (issue.code === "unrecognized_keys") {
    const [key = ""] = issue.keys;
    const known = issue.path.length === 0 && schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
    const meant = nearestWord(key, known);
    return new Problem(code, `there is no field "${key}"${more}`, {
      field: [...issue.path, key].join("."),
      hint: meant === undefined ? undefined : `Did you mean "${meant}"?`,
    });
  }
  const field = issue.path.join(".");
  return new Problem(code, `${field === "" ? "it" : field}: ${issue.message}${more}`, {
    field: field === "" ? undefined : field,
  });
}
