/** The environment that hooks inherit from: that of this process, or another one that the host gives. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A value for each environment object, made when first needed. */
export class PerEnvironment<T> {
  readonly #values = new WeakMap<Environment, T>();
  readonly #make: (env: Environment) => T;

  constructor(make: (env: Environment) => T) {
    this.#make = make;
  }

  of(env: Environment): T {
    let value = this.#values.get(env);
    if (value === undefined) {
      value = this.#make(env);
      this.#values.set(env, value);
    }
    return value;
  }
}
