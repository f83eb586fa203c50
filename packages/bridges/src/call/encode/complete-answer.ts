/**
 * The exit codes by which the bridge proves to the script that started it that its whole answer is written. Neither Node nor a signal ends
 * a process with them, so that an empty program, a crash or a kill is not taken for an answer.
 */
export const COMPLETE = {
  /** The client is answered with exit code 0. */
  passed: 40,
  /** The client is answered with exit code 2. */
  refused: 42,
} as const;
