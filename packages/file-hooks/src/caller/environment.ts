/** The environment that hooks inherit from: that of this process, or of the caller that a resident process answers. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * A value for each environment object, made when first needed. A resident process has one such object for each call, so what is cached
 * with it is neither older than the call nor seen by another one.
 */
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
