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
