export type Input = Readonly<Record<string, unknown>>;

/** One call with canonical names. */
export interface CanonicalCall {
  readonly name: string;
  /** Other names that matchers find it by. */
  readonly aliases?: readonly string[];
  readonly input: Input;
}

/** A native call, as the calls that it contains. */
export interface NativeCall {
  readonly calls: readonly CanonicalCall[];
  /** It starts a subagent, of this type and with this task. */
  readonly delegation?: { readonly type: string; readonly task: string; readonly taskArgument: string };
  /** The tool has no canonical name. */
  readonly isUnmapped?: boolean;
  /** Arguments that repeat what a native argument says. A change of one is not seen by a hook that reads the native one. */
  readonly copies?: readonly string[];
  /** The native input with the calls' inputs changed to these; `undefined` where the client cannot express that. */
  putBack(inputs: readonly Input[]): Input | undefined;
}

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
