/** How many URLs of http hooks one coordinator calls at a time. */
export interface CallLimits {
  /** Of hooks that runs wait for. */
  readonly awaited: number;
  /** Of others. */
  readonly unawaited: number;
  /** Of one target, which is scheme, host and port, for each of the two. */
  readonly perTarget: number;
}

export const DEFAULT_CALL_LIMITS: CallLimits = { awaited: 128, unawaited: 64, perTarget: 16 };

const MAX_CALLS = 10_000;

/** The limits with their defaults. Throws a `TypeError` that names a limit which is not a whole number from 1 to 10,000. */
export function readCallLimits(given: Partial<CallLimits> = {}): CallLimits {
  const limits = { ...DEFAULT_CALL_LIMITS, ...given };
  for (const [name, value] of Object.entries(limits)) {
    if (!Object.hasOwn(DEFAULT_CALL_LIMITS, name))
      throw new TypeError(`calls.${name}: there is no such limit`);
    if (!Number.isInteger(value) || value < 1 || value > MAX_CALLS)
      throw new TypeError(`calls.${name}: ${String(value)} is not a whole number from 1 to ${MAX_CALLS}`);
  }
  return limits;
}
