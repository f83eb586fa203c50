import { threadTimeMs } from "./thread-time.ts";

/** The most that pattern matching may cost one dispatch, over all hooks and all values of the input. */
const BUDGET_MS = 150;

/** How much a program may work between two readings of the clock, in characters read times its size. */
const WORK_PER_CHECK = 16_384;
const MAX_READS_PER_CHECK = 64;

/** Thrown out of a running match when the budget is spent; never leaves this folder. */
export class BudgetSpent extends Error {}

/** The most that a search over little text is charged: it takes no longer, unless the thread had to wait for the processor. */
const MAX_FOR_LITTLE_MS = 2;

/**
 * Bounds the time that patterns may take on text a model wrote. The engine is linear, but a large program over a
 * megabyte is still seconds, so a match that exceeds the budget is aborted and counts as undecided. Only the time
 * that the thread works inside searches counts: neither a slow hook nor a busy machine must make patterns undecided.
 */
export class PatternBudget {
  #left: number;
  /** When the current search has to be measured more precisely. */
  #deadline = 0;
  #threadStart = 0;

  constructor(ms = BUDGET_MS) {
    this.#left = ms;
  }

  get isSpent(): boolean {
    return this.#left <= 0;
  }

  /** Whether the current long search has used up the budget. */
  get isOver(): boolean {
    const now = performance.now();
    if (now <= this.#deadline) return false;
    // The time of the thread takes longer to read than the clock, and can only be less.
    const left = this.#left - (threadTimeMs() - this.#threadStart);
    if (left <= 0) return true;
    this.#deadline = now + left;
    return false;
  }

  /** Runs a search over little text, which needs no interruption. */
  spendLittle<T>(search: () => T): T {
    const start = performance.now();
    try {
      return search();
    } finally {
      this.#left -= Math.min(performance.now() - start, MAX_FOR_LITTLE_MS);
    }
  }

  /** Runs a search that checks `isOver` while it runs. */
  spend<T>(search: () => T): T {
    this.#threadStart = threadTimeMs();
    this.#deadline = performance.now() + this.#left;
    try {
      return search();
    } finally {
      this.#left -= threadTimeMs() - this.#threadStart;
    }
  }
}

/** Text that checks the budget while it is read. The regex engine reads every character through `charCodeAt`. */
export class MeteredText extends String {
  readonly #text: string;
  readonly #budget: PatternBudget;
  readonly #readsPerCheck: number;
  #reads = 0;

  /** `size` is the program's: the larger it is, the more each character costs. */
  constructor(text: string, budget: PatternBudget, size: number) {
    super(text);
    this.#text = text;
    this.#budget = budget;
    this.#readsPerCheck = Math.min(Math.max(1, Math.floor(WORK_PER_CHECK / size)), MAX_READS_PER_CHECK);
  }

  override charCodeAt(index: number): number {
    if (++this.#reads % this.#readsPerCheck === 0 && this.#budget.isOver) throw new BudgetSpent();
    return this.#text.charCodeAt(index);
  }

  override indexOf(searched: string, position?: number): number {
    return this.#text.indexOf(searched, position);
  }
}
