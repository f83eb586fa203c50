/** An object whose parts are still to be copied. */
interface Open {
  readonly value: object;
  readonly copy: object;
}

/**
 * A deep, frozen copy for hooks that run beside the agent: what they see cannot change under them, and nothing they do
 * reaches the agent. Plain data is copied; functions, instances of other classes and whatever `isShared` accepts are not. It is a loop and
 * not recursive, because a payload may be nested to any depth.
 */
export function snapshot<T>(value: T, isShared: (part: object) => boolean = () => false): T {
  const copies = new Map<object, object>();
  const open: Open[] = [];
  const copied = (part: unknown): unknown => {
    if (typeof part !== "object" || part === null) return part;
    const known = copies.get(part);
    if (known !== undefined) return known;
    const copy = isShared(part) ? undefined : emptyCopy(part);
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
  return result as T;
}

/** `undefined` for what is shared. */
function emptyCopy(value: object): object | undefined {
  if (Array.isArray(value)) return [];
  if (value instanceof Date) return new Date(value);
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === Object.prototype || prototype === null || value instanceof Error;
  return isPlain ? Object.create(prototype as object | null) : undefined;
}

function fill({ value, copy }: Open, copied: (part: unknown) => unknown): void {
  if (Array.isArray(value)) {
    for (const item of value) (copy as unknown[]).push(copied(item));
    return;
  }
  // An error's message and stack are not enumerable, and belong to the copy all the same.
  for (const key of value instanceof Error ? Object.getOwnPropertyNames(value) : Object.keys(value)) {
    const enumerable = Object.prototype.propertyIsEnumerable.call(value, key);
    const part: unknown = (value as Record<string, unknown>)[key];
    Object.defineProperty(copy, key, { value: copied(part), enumerable });
  }
}
