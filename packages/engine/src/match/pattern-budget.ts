/** The most that pattern matching may cost one dispatch, over all hooks and all values of the input. */
const BUDGET_MS = 150;

/** How much a program may work between two looks at the clock, in characters read times its size. */
const WORK_PER_LOOK = 16_384;
const MOST_READS_PER_LOOK = 64;

/** Thrown out of a running match when the budget is spent; never leaves this folder. */
export class BudgetSpent extends Error {}

/**
 * Bounds the time that patterns may take on text a model wrote. The engine is linear, but a large program over a
 * megabyte is still seconds, so a match that exceeds the budget is given up and counts as undecided. Only the time
 * inside searches counts: a slow hook must not make the patterns of the next one undecided.
 */
export class PatternBudget {
  #left: number;
  #deadline = 0;

  constructor(ms = BUDGET_MS) {
    this.#left = ms;
  }

  get isSpent(): boolean {
    return this.#left <= 0;
  }

  /** Whether the search that is going on has used up what was left. */
  get isOver(): boolean {
    return performance.now() > this.#deadline;
  }

  /** Runs a search on the budget. */
  spend<T>(search: () => T): T {
    const start = performance.now();
    this.#deadline = start + this.#left;
    try {
      return search();
    } finally {
      this.#left -= performance.now() - start;
    }
  }
}

/** Text that looks at the budget while it is read. The regex engine reads every character through `charCodeAt`. */
export class MeteredText extends String {
  readonly #text: string;
  readonly #budget: PatternBudget;
  readonly #readsPerLook: number;
  #reads = 0;

  /** `size` is the program's: the larger it is, the more each character costs. */
  constructor(text: string, budget: PatternBudget, size: number) {
    super(text);
    this.#text = text;
    this.#budget = budget;
    this.#readsPerLook = Math.min(Math.max(1, Math.floor(WORK_PER_LOOK / size)), MOST_READS_PER_LOOK);
  }

  override charCodeAt(index: number): number {
    if (++this.#reads % this.#readsPerLook === 0 && this.#budget.isOver) throw new BudgetSpent();
    return this.#text.charCodeAt(index);
  }

  override indexOf(searched: string, position?: number): number {
    return this.#text.indexOf(searched, position);
  }
}
