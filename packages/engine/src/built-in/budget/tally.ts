/** What one run, session or process has used so far. */
export class Tally {
  toolCalls = 0;
  llmCalls = 0;
  tokens = 0;
  /** When its first event was seen. */
  readonly startedAt: number;
  /** When the last calls that a rate counts were made; a ring that never contains more than the rate allows. */
  readonly #callTimes: number[] = [];
  #counted = 0;

  constructor(startedAt: number) {
    this.startedAt = startedAt;
  }

  /** Counts a call against a rate. Returns how many milliseconds it comes too early, and then it is not counted. */
  callAt(now: number, { calls, perMs }: { readonly calls: number; readonly perMs: number }): number {
    const slot = this.#counted % calls;
    const oldest = this.#callTimes[slot];
    const wait = oldest === undefined ? 0 : Math.max(0, oldest + perMs - now);
    // Not `> 0`: a clock that gives no number must not open the gate.
    if (!(wait <= 0)) return wait;
    this.#callTimes[slot] = now;
    this.#counted++;
    return 0;
  }
}
