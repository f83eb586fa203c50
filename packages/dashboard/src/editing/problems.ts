import { isRecord } from "@tenterhook/internal";
import type { z } from "zod";
import { capitalized } from "../components/capitalized.ts";
import { valueAt } from "./json-object.ts";

/** What is wrong with a field, for the user. */
export interface FieldProblem {
  /** As the coordinator names fields: `hooks.on_run_start.agent_name`. */
  readonly path: string;
  readonly message: string;
  /** The field is not wrong, only still empty. */
  readonly isMissing: boolean;
}

type Issue = z.core.$ZodIssue;

/** The problems of a value by a schema, by the fields of a form. */
export function schemaProblems(schema: z.ZodType, value: unknown): FieldProblem[] {
  const read = schema.safeParse(value);
  return read.success ? [] : read.error.issues.flatMap((issue) => findProblems(issue, value, []));
}

function findProblems(issue: Issue, value: unknown, above: readonly PropertyKey[]): FieldProblem[] {
  const keys = [...above, ...issue.path];
  const path = keys.map(String).join(".");
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    // Report the problems of the alternative that the value resembles.
    const at = valueAt(value, path);
    const likely = isRecord(at) && "$ref" in at ? issue.errors.at(-1) : issue.errors[0];
    return (likely ?? []).flatMap((each) => findProblems(each, value, keys));
  }
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      path: [...keys.map(String), key].join("."),
      message: "Unknown field",
      isMissing: false,
    }));
  }
  const given = valueAt(value, path);
  // An empty item of a list is superfluous, not missing.
  const isMissing = typeof keys.at(-1) !== "number" && (given === undefined || given === "");
  return [{ path, message: messageOf(issue, isMissing), isMissing }];
}

function messageOf(issue: Issue, isMissing: boolean): string {
  if (issue.code === "custom") return capitalized(issue.message);
  if (isMissing) return "Required";
  switch (issue.code) {
    case "invalid_format":
      return issue.format === "url" ? "Must be an http or https address" : capitalized(issue.message);
    case "invalid_value":
      return `Must be ${issue.values.map(String).join(" or ")}`;
    case "invalid_type":
      return issue.expected === "int"
        ? "Must be a whole number"
        : `Must be ${NOUNS[issue.expected] ?? issue.expected}`;
    case "too_small":
      return issue.origin === "number" || issue.origin === "int"
        ? `Must be at least ${issue.minimum}`
        : "Must not be empty";
    case "too_big":
      return issue.origin === "number" || issue.origin === "int"
        ? `Must be at most ${issue.maximum}`
        : `Must not be longer than ${issue.maximum}`;
    default:
      return capitalized(issue.message);
  }
}

const NOUNS: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  record: "an object",
  object: "an object",
  array: "a list",
  boolean: "true or false",
};

/** The first problem at a field, or inside it. */
export function problemAt(problems: readonly FieldProblem[], path: string): FieldProblem | undefined {
  return problems.find((problem) => isWithin(problem.path, path));
}

export function isWithin(path: string, field: string): boolean {
  return path === field || path.startsWith(`${field}.`);
}
