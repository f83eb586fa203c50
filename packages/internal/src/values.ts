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

// JavaScript can throw any value, also one whose inspection throws: a revoked proxy, an object with a getter that throws. What is
// read of a caught value is read through these functions, which never throw themselves.

/** What is written in place of a value that cannot be read. */
const UNREADABLE = "a value that cannot be read";

/** `instanceof` for a caught value: false if the value cannot be read. */
export function isInstanceOf<T>(value: unknown, type: abstract new (...args: never[]) => T): value is T {
  try {
    return value instanceof type;
  } catch {
    return false;
  }
}

/** A field of a caught value; `undefined` if it has none, or if it cannot be read. */
export function readField(value: unknown, key: string | symbol): unknown {
  try {
    return (value as Record<string | symbol, unknown> | null | undefined)?.[key];
  } catch {
    return undefined;
  }
}

/** Whether a value has a field, its own or an inherited one; false if it cannot be read. */
export function hasField(value: unknown, key: string | symbol): boolean {
  try {
    return typeof value === "object" && value !== null && key in value;
  } catch {
    return false;
  }
}

/** The fields that are read of errors, here and by what prints them. */
const FIELDS = [
  "message",
  "name",
  "stack",
  "cause",
  "code",
  "constructor",
  "errors",
  "then",
  "toJSON",
  "toString",
  Symbol.toPrimitive,
  Symbol.toStringTag,
  Symbol.for("nodejs.util.inspect.custom"),
];

/**
 * A caught value that can be handed on: the value itself, or, if a part of it cannot be read, an error that says so. Only the value
 * is examined, not its causes.
 */
export function readable(thrown: unknown): unknown {
  if ((typeof thrown !== "object" || thrown === null) && typeof thrown !== "function") return thrown;
  try {
    Object.getPrototypeOf(thrown);
    for (const key of [...Reflect.ownKeys(thrown), ...FIELDS]) Reflect.get(thrown, key);
    return thrown;
  } catch (why) {
    const message = readField(why, "message");
    return new Error(typeof message === "string" ? `${UNREADABLE} (${message})` : UNREADABLE);
  }
}

/** A value as text, such as an attribute of a span: a string as it is, all else as JSON. */
export function printed(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    // Cyclic, or a BigInt.
    try {
      return Object.prototype.toString.call(value);
    } catch {
      return UNREADABLE;
    }
  }
}

/** The code of an error of the system, such as `ENOENT`. */
export function systemCode(error: unknown): string | undefined {
  const code = readField(error, "code");
  return typeof code === "string" ? code : undefined;
}
