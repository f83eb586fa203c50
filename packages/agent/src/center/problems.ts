import { nearestWord } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";

/** Throws `bad_agent` with all problems, if there are any, so that one error reports all of them. */
export function throwProblems(subject: string, problems: readonly string[]): void {
  if (problems.length > 0) throw new TenterhookError("bad_agent", `${subject}: ${problems.join("; ")}.`);
}

/** The problem of a name that is not registered, with the registered names and the nearest one. */
export function unknownName(field: string, kind: string, name: string, known: readonly string[]): string {
  const nearest = nearestWord(name, known);
  const guess = nearest === undefined ? "" : `, did you mean "${nearest}"?`;
  const names = known.length === 0 ? `no ${kind} is registered` : `there are ${known.join(", ")}`;
  return `${field} has "${name}", which is not a known ${kind}${guess} (${names})`;
}

/** The problem of a field that does not exist. */
export function unknownField(name: string, known: readonly string[]): string {
  const nearest = nearestWord(name, known);
  const hint = nearest === undefined ? `the fields are ${known.join(", ")}` : `did you mean "${nearest}"?`;
  return `there is no field "${name}" (${hint})`;
}
