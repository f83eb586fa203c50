/** Where in the value something is: a list from the inside out, so that going deeper copies nothing. */
export interface Location {
  readonly parent: Location | undefined;
  readonly key: string | number;
}

export interface Failure {
  readonly location: Location | undefined;
  readonly message: string;
  /** The property that is missing or not allowed there. */
  readonly name?: string | undefined;
}

/** How many failures are reported; a person corrects the first few and tries again. */
const MAX_FAILURES = 5;

/** Steps that one validation may take. A megabyte of ordinary JSON takes a quarter of them, and all are some 100 ms of work. */
const MAX_STEPS = 2_000_000;

/** How deep schemas may call each other: more than any value has levels, less than the stack has room for. */
const DEEPEST = 800;

/** Validation was aborted: the schema needs too much work on this value. */
export class TooMuchWork extends Error {}

/**
 * One validation of one value. The work is counted in steps, not in time: the same schema and value end the same way on every
 * machine, however busy it is.
 */
export class Validation {
  failures: Failure[] = [];
  /** Schema resources that were entered, outermost first; `$dynamicRef` looks through them. */
  readonly resources: unknown[] = [];
  #isTrial = false;
  #stepsLeft = MAX_STEPS;
  #depth = 0;

  /** Whether it is certain that the value does not fit, and nothing more is to be reported. */
  get isEnough(): boolean {
    return this.#isTrial || this.failures.length >= MAX_FAILURES;
  }

  spend(steps: number): void {
    this.#stepsLeft -= steps;
    if (this.#stepsLeft < 0) throw new TooMuchWork("checking it takes too much work");
  }

  enter(): void {
    this.#depth += 1;
    if (this.#depth > DEEPEST) throw new TooMuchWork("the schema refers to itself too deeply for it");
  }

  leave(): void {
    this.#depth -= 1;
  }

  fail(location: Location | undefined, message: string, name?: string): false {
    if (this.failures.length < MAX_FAILURES) this.failures.push({ location, message, name });
    return false;
  }

  /** Tries something whose failure may not be one of the whole. Returns its failures, at most one for each schema in it. */
  attempt(trial: () => boolean): readonly Failure[] | undefined {
    const { failures } = this;
    const wasTrial = this.#isTrial;
    this.failures = [];
    this.#isTrial = true;
    try {
      return trial() ? undefined : this.failures;
    } finally {
      this.failures = failures;
      this.#isTrial = wasTrial;
    }
  }

  adopt(failures: readonly Failure[]): void {
    this.failures.push(...failures.slice(0, MAX_FAILURES - this.failures.length));
  }
}

/** Whether all of some items fit; stops when enough is known. */
export function every<T>(items: Iterable<T>, validation: Validation, fits: (item: T) => boolean): boolean {
  let all = true;
  for (const item of items) {
    if (fits(item)) continue;
    all = false;
    if (validation.isEnough) break;
  }
  return all;
}
