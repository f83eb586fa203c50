/** Why an agent is about to stop. */
export class ContinuationOutcome {
  readonly #stopReason: string | undefined;

  constructor(stopReason?: string) {
    this.#stopReason = stopReason;
  }

  /** `no_tool_calls`, `max_steps`, `budget_exhausted`, `tool_rejected`, …; undefined where the host does not say. */
  stopReason(): string | undefined {
    return this.#stopReason;
  }
}
