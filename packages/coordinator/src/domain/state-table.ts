/**
 * The states of one kind of row, in the order of its life, and which may follow each. Statements take their conditions from
 * it, and each statement that writes a state is tested against it.
 */
export class StateTable<S extends string> {
  readonly states: readonly S[];
  readonly #initial: readonly S[];
  readonly #following: Readonly<Record<S, readonly S[]>>;

  constructor(states: readonly S[], initial: readonly S[], following: Readonly<Record<S, readonly S[]>>) {
    this.states = states;
    this.#initial = initial;
    this.#following = following;
  }

  isInitial(state: S): boolean {
    return this.#initial.includes(state);
  }

  mayFollow(from: S, to: S): boolean {
    return this.#following[from].includes(to);
  }

  isFinal(state: S): boolean {
    return this.#following[state].length === 0;
  }

  /** The states from which a row may become `to`. */
  statesBefore(to: S): readonly S[] {
    return this.states.filter((from) => this.mayFollow(from, to));
  }

  /** The same as a condition of SQL. */
  before(to: S): string {
    return inList(this.statesBefore(to));
  }

  /** The states that fulfil a test, as a condition of SQL. */
  where(test: (state: S) => boolean): string {
    return inList(this.states.filter(test));
  }
}

function inList(states: readonly string[]): string {
  return `IN (${states.map((state) => `'${state}'`).join(", ")})`;
}
