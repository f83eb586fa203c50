import type { Input } from "./canonical-call.ts";

/** The native input with only the differences applied, so that the rest is returned as it was. */
export function changedNative(
  native: Input,
  before: Input,
  after: Input,
  names: Readonly<Record<string, string>>,
  incidental: readonly string[] = [],
): Input {
  const result: Record<string, unknown> = { ...native };
  const nativeKey = (key: string) => {
    const name = Object.hasOwn(names, key) ? names[key] : undefined;
    return name !== undefined && (Object.hasOwn(native, name) || !Object.hasOwn(native, key)) ? name : key;
  };
  for (const key of Object.keys(before))
    if (!Object.hasOwn(after, key) && !incidental.includes(key)) delete result[nativeKey(key)];
  for (const [key, value] of Object.entries(after))
    if (!Object.hasOwn(before, key) || !isSame(before[key], value)) result[nativeKey(key)] = value;
  return result;
}

/** Whether two values say the same. */
export function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
