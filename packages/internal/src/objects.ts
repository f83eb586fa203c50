/** Whether a value is an object that is neither null nor an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value is an object literal, of this realm or of another one: not an instance of a class. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (!isRecord(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/**
 * Whether a value must be awaited: a promise of this realm, of another one, or of a library. Also one whose `then` cannot be read:
 * to await it rejects with what reading throws.
 */
export function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  if (typeof value !== "object" || value === null) return false;
  try {
    return typeof (value as PromiseLike<T>).then === "function";
  } catch {
    return true;
  }
}

/** Continues with a value: at once if it is not a promise, so that what is synchronous stays synchronous. */
export function whenReady<T, R>(
  value: T | PromiseLike<T>,
  next: (value: T) => R | Promise<R>,
): R | Promise<R> {
  return isThenable(value) ? Promise.resolve(value).then(next) : next(value);
}

/** A field of a table by a text from outside. Not what every object inherits: `constructor` and `toString` are in no table. */
export function ownField<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Sets a field of a plain object, whatever its name is: a model may well name one `__proto__`, and to assign that sets the prototype. */
export function setField(target: object, key: string, value: unknown): void {
  if (key !== "__proto__") (target as Record<string, unknown>)[key] = value;
  else Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
}
