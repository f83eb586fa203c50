import { nearestWord } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";

/** Collects problems, so that one error reports all of them. */
export class Problems {
  readonly #found: string[] = [];

  add(problem: string): void {
    this.#found.push(problem);
  }

  get exist(): boolean {
    return this.#found.length > 0;
  }

  /** All of them in one line. */
  describe(subject: string): string {
    return `${subject}: ${this.#found.join("; ")}`;
  }

  /** Throws `bad_agent` with all of them, if there are any. */
  throwIfAny(subject: string): void {
    if (this.exist) throw new TenterhookError("bad_agent", `${this.describe(subject)}.`);
  }
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
