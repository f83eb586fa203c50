import { isInstanceOf } from "@tenterhook/internal";

/** An object whose parts are still to be copied. */
interface Open {
  readonly value: object;
  readonly copy: object;
}

/** The copies that were made here: they and all that they consist of are frozen, so that another copy of them is not needed. */
const frozen = new WeakSet<object>();

/**
 * A deep, frozen copy: what hooks see cannot change under them, and nothing they do in place reaches the host or another hook. Plain
 * objects, arrays, dates and errors are copied; functions, instances of other classes and whatever `isShared` accepts are not. A part
 * that is a copy of this kind already is used as it is. It is a loop and not recursive, because a value may be nested to any depth.
 * Throws what reading the value throws.
 */
export function snapshot<T>(value: T, isShared?: (part: object) => boolean): T {
  if (typeof value !== "object" || value === null || frozen.has(value)) return value;
  const copies = new Map<object, object>();
  const open: Open[] = [];
  let isWhole = true;
  const copied = (part: unknown): unknown => {
    if (typeof part !== "object" || part === null || frozen.has(part)) return part;
    const known = copies.get(part);
    if (known !== undefined) return known;
    if (isShared?.(part) === true) {
      isWhole = false;
      return part;
    }
    const copy = emptyCopy(part);
    if (copy === undefined) return part;
    copies.set(part, copy);
    if (!(copy instanceof Date)) open.push({ value: part, copy });
    return copy;
  };
  const result = copied(value);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    fill(next, copied);
    Object.freeze(next.copy);
  }
  // Not before all of it is frozen, and not if a part is shared that the next copy may not share.
  if (isWhole) for (const copy of copies.values()) frozen.add(copy);
  return result as T;
}

/** A snapshot of what a hook gave. Errors are used as they are, and so is `shared`. */
export function acceptedValue<T>(value: T, shared?: unknown): T {
  return snapshot(value, (part) => part === shared || isInstanceOf(part, Error));
}

/** `undefined` for what is shared. */
function emptyCopy(value: object): object | undefined {
  if (Array.isArray(value)) return [];
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype) return {};
  if (prototype === null) return Object.create(null) as object;
  if (value instanceof Date) return new Date(value);
  return value instanceof Error ? (Object.create(prototype as object) as object) : undefined;
}

function fill({ value, copy }: Open, copied: (part: unknown) => unknown): void {
  if (Array.isArray(value)) {
    for (const item of value) (copy as unknown[]).push(copied(item));
    return;
  }
  const isError = value instanceof Error;
  // An error's message and stack are not enumerable, and belong to the copy all the same.
  for (const key of isError ? Object.getOwnPropertyNames(value) : Object.keys(value)) {
    const part = copied((value as Record<string, unknown>)[key]);
    // Defined, where an assignment would do something else.
    if (isError || key === "__proto__") {
      const enumerable = Object.prototype.propertyIsEnumerable.call(value, key);
      Object.defineProperty(copy, key, { value: part, enumerable });
    } else (copy as Record<string, unknown>)[key] = part;
  }
}
