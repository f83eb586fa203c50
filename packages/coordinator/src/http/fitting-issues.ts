import type { z } from "zod";

type Issue = z.core.$ZodIssue;

/**
 * The issues of a value, each at its own field. For a union that the value does not fit, zod reports only "Invalid input"; here the
 * issues of the most probable branch are reported, and a missing field is called required.
 */
export function fittingIssues(issues: readonly Issue[], value: unknown): readonly Issue[] {
  return issues.flatMap((issue) => ofBestBranch(issue, value)).map((issue) => named(issue, value));
}

function ofBestBranch(issue: Issue, value: unknown): readonly Issue[] {
  if (issue.code !== "invalid_union" || issue.errors.length === 0) return [issue];
  const branches = issue.errors.map((branch) =>
    branch.map((each): Issue => ({ ...each, path: [...issue.path, ...each.path] })),
  );
  const types = branches.map(([only, ...others]) =>
    only?.code === "invalid_type" && others.length === 0 && only.path.length === issue.path.length
      ? only.expected
      : undefined,
  );
  if (types.every((type) => type !== undefined)) {
    return [{ ...issue, message: `Invalid input: expected ${[...new Set(types)].join(" or ")}` }];
  }
  const [best] = branches
    .map((branch) => ({ branch, distance: distanceTo(branch, value) }))
    .sort((a, b) => a.distance - b.distance);
  return best?.branch.flatMap((each) => ofBestBranch(each, value)) ?? [issue];
}

/** The fewer missing or unknown fields, the better a branch fits; among equals the one with fields of a wrong value. */
function distanceTo(branch: readonly Issue[], value: unknown): number {
  let distance = 0;
  let isKnown = false;
  for (const issue of branch) {
    if (issue.code === "unrecognized_keys") distance += issue.keys.length;
    else if (valueAt(value, issue.path) === undefined) distance += 1;
    else isKnown = true;
  }
  return distance - (isKnown ? 0.5 : 0);
}

function named(issue: Issue, value: unknown): Issue {
  const isChoice = issue.code === "invalid_value" || issue.code === "invalid_union";
  if (!isChoice && issue.code !== "invalid_type") return issue;
  if (issue.path.length === 0 || valueAt(value, issue.path) !== undefined) return issue;
  const options = issue.code === "invalid_value" ? issue.values : listOptions(issue);
  const choice = options.map((option) => JSON.stringify(option)).join(", ");
  return { ...issue, message: choice === "" ? "required" : `required, one of ${choice}` };
}

/** The values of a discriminator. */
function listOptions(issue: Issue): readonly unknown[] {
  return "options" in issue && Array.isArray(issue.options) ? issue.options : [];
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let found = value;
  for (const part of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, part)) return undefined;
    found = (found as Readonly<Record<PropertyKey, unknown>>)[part];
  }
  return found;
}
