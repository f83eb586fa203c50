/** What the bridge's process prints and ends with. */
export interface NativeAnswer {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: 0 | 2;
}

export const NOTHING: NativeAnswer = { stdout: "", stderr: "", exit: 0 };
