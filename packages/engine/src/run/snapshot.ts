/**
 * A deep, frozen copy for hooks that run beside the agent: what they see cannot change under them, and nothing they do
 * reaches the agent. Plain data is copied; functions and instances of other classes are shared as they are.
 */
export function snapshot<T>(value: T, seen: Map<object, object> = new Map()): T {
  if (typeof value !== "object" || value === null) return value;
  const known = seen.get(value);
  if (known !== undefined) return known as T;
  if (Array.isArray(value)) {
    const copy: unknown[] = [];
    seen.set(value, copy);
    for (const item of value) copy.push(snapshot(item, seen));
    return Object.freeze(copy) as T;
  }
  if (value instanceof Date) return new Date(value) as T;
  const prototype: unknown = Object.getPrototypeOf(value);
  const isError = value instanceof Error;
  if (prototype !== Object.prototype && prototype !== null && !isError) return value;
  const copy: object = Object.create(prototype as object | null);
  seen.set(value, copy);
  // An error's message and stack are not enumerable, and belong to the copy all the same.
  for (const key of isError ? Object.getOwnPropertyNames(value) : Object.keys(value)) {
    const enumerable = Object.prototype.propertyIsEnumerable.call(value, key);
    const part: unknown = (value as Record<string, unknown>)[key];
    Object.defineProperty(copy, key, { value: snapshot(part, seen), enumerable });
  }
  return Object.freeze(copy) as T;
}
