import { isPlainObject, setField } from "@tenterhook/internal";

/**
 * A copy that may be written to, of a frozen value that hooks have seen: its plain objects, lists and dates are copied, and all else is
 * shared, as in `snapshot`. Not `structuredClone`, which refuses functions and makes plain objects of instances.
 */
export function writableCopy<T>(value: T): T {
  const copies = new Map<object, object>();
  const copyPart = (part: unknown): unknown => {
    if (typeof part !== "object" || part === null) return part;
    const copy = copies.get(part) ?? emptyCopy(part);
    copies.set(part, copy);
    return copy;
  };
  const copy = copyPart(value);
  // Not recursive: a value may be nested to any depth. The map grows meanwhile.
  for (const [part, target] of copies)
    if (target !== part)
      for (const key of Object.keys(part))
        setField(target, key, copyPart((part as Record<string, unknown>)[key]));
  return copy as T;
}

/** Without its parts; the value itself if it is shared. */
function emptyCopy(value: object): object {
  if (Array.isArray(value)) return [];
  if (value instanceof Date) return new Date(value);
  return isPlainObject(value)
    ? (Object.create(Object.getPrototypeOf(value) as object | null) as object)
    : value;
}
