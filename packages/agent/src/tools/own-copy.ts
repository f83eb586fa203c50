/**
 * A copy of an input that its receiver may change. What hooks have checked is frozen, and tools and validators may write into what they
 * are given, for example to fill in defaults. Only plain objects and arrays are copied; depth is limited where inputs enter.
 */
export function ownCopy<T>(value: T): T {
  if (Array.isArray(value)) return value.map(ownCopy) as T;
  if (typeof value !== "object" || value === null) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, ownCopy(part)])) as T;
}
