import { TenterhookError } from "@tenterhook/protocol";

/** Values of one kind by name. A name is registered once, so that agents that list it always get the same value. */
export class Registry<T> {
  readonly kind: string;
  readonly #registered = new Map<string, T>();

  constructor(kind: string) {
    this.kind = kind;
  }

  register(name: string, value: T): void {
    const problem = this.problemWith(name);
    if (problem !== undefined) throw new TenterhookError("bad_agent", `${problem}.`);
    this.#registered.set(name, value);
  }

  /** Why a name cannot be registered, if it cannot. */
  problemWith(name: string): string | undefined {
    if (typeof name !== "string" || name === "") return `the name of the ${this.kind} must be a text`;
    return this.#registered.has(name) ? `the ${this.kind} "${name}" is registered already` : undefined;
  }

  get(name: string): T | undefined {
    return this.#registered.get(name);
  }

  /** Whether an agent may list this name. */
  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  get names(): readonly string[] {
    return [...this.#registered.keys()];
  }
}
