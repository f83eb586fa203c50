/** The most that pattern matching may cost one dispatch, over all hooks and all values of the input. */
const BUDGET_MS = 150;

/** How many characters may be read between two looks at the clock. */
const READS_PER_LOOK = 64;

/** Thrown out of a running match when the budget is spent; never leaves this folder. */
export class BudgetSpent extends Error {}

/**
 * Bounds the time that patterns may take on text a model wrote. The engine is linear, but a large program over a
 * megabyte is still seconds, so a match that exceeds the budget is given up and counts as undecided.
 */
export class PatternBudget {
  #deadline = 0;

  get spent(): boolean {
    if (this.#deadline === 0) this.#deadline = performance.now() + BUDGET_MS;
    return performance.now() > this.#deadline;
  }
}

/** Text that looks at the budget while it is read. The regex engine reads every character through `charCodeAt`. */
export class MeteredText extends String {
  readonly #text: string;
  readonly #budget: PatternBudget;
  #reads = 0;

  constructor(text: string, budget: PatternBudget) {
    super(text);
    this.#text = text;
    this.#budget = budget;
  }

  override charCodeAt(index: number): number {
    if (++this.#reads % READS_PER_LOOK === 0 && this.#budget.spent) throw new BudgetSpent();
    return this.#text.charCodeAt(index);
  }

  override indexOf(searched: string, position?: number): number {
    return this.#text.indexOf(searched, position);
  }
}
