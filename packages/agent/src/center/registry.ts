import { TenterhookError } from "@tenterhook/protocol";

/** Things of one kind by name. A name is given once: whoever listed it must not get another thing later. */
export class Registry<T> {
  readonly kind: string;
  readonly #things = new Map<string, T>();

  constructor(kind: string) {
    this.kind = kind;
  }

  register(name: string, thing: T): void {
    const problem = this.problemWith(name);
    if (problem !== undefined) throw new TenterhookError("bad_agent", `${problem}.`);
    this.#things.set(name, thing);
  }

  /** Why a name cannot be given, if it cannot. */
  problemWith(name: string): string | undefined {
    if (typeof name !== "string" || name === "") return `the name of the ${this.kind} must be a text`;
    return this.#things.has(name) ? `the ${this.kind} "${name}" is registered already` : undefined;
  }

  get(name: string): T | undefined {
    return this.#things.get(name);
  }

  get names(): readonly string[] {
    return [...this.#things.keys()];
  }
}
