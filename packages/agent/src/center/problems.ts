import { nearestWord, TenterhookError } from "@tenterhook/protocol";

/** Everything that is wrong with one thing, told at once: whoever mends a file should not need a try for each mistake. */
export class Problems {
  readonly #found: string[] = [];

  add(problem: string): void {
    this.#found.push(problem);
  }

  get areThere(): boolean {
    return this.#found.length > 0;
  }

  /** All of them as one. */
  about(what: string): string {
    return `${what}: ${this.#found.join("; ")}`;
  }

  /** Throws `bad_agent` with all of them, if there are any. */
  throwAbout(what: string): void {
    if (this.areThere) throw new TenterhookError("bad_agent", `${this.about(what)}.`);
  }
}

/** Says that a name stands for nothing, which names there are, and which of them was probably meant. */
export function noSuchName(field: string, kind: string, name: string, known: readonly string[]): string {
  const meant = nearestWord(name, known);
  const guess = meant === undefined ? "" : `, did you mean "${meant}"?`;
  const names = known.length === 0 ? `no ${kind} is registered` : `there are ${known.join(", ")}`;
  return `${field} has "${name}", which is no ${kind}${guess} (${names})`;
}

/** Says that an object has a field that means nothing. */
export function noSuchField(name: string, known: readonly string[]): string {
  const meant = nearestWord(name, known);
  const hint = meant === undefined ? `the fields are ${known.join(", ")}` : `did you mean "${meant}"?`;
  return `there is no field "${name}" (${hint})`;
}
