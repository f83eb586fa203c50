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
