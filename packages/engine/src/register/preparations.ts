import type { EventName } from "@tenterhook/protocol";

/** Prepares a source of hooks for an event; the dispatch waits for a promise. */
export type Preparation = (event: EventName) => void | undefined | Promise<void>;

/** The functions that are called before every dispatch, so that sources of hooks can register what has changed. */
export class Preparations {
  readonly #inherited: readonly Preparations[];
  #all: readonly Preparation[] = [];

  constructor(inherited: readonly Preparations[] = []) {
    this.#inherited = inherited;
  }

  /** False while there are none, which costs a dispatch nothing. */
  get exist(): boolean {
    // The length first: this is read before every dispatch.
    return this.#all.length > 0 || (this.#inherited.length > 0 && this.#inherited.some(({ exist }) => exist));
  }

  add(prepare: Preparation): () => void {
    this.#all = [...this.#all, prepare];
    return () => {
      this.#all = this.#all.filter((other) => other !== prepare);
    };
  }

  /** Calls all of them, the inherited ones too; a promise when one of them returns one. */
  run(event: EventName): Promise<unknown> | undefined {
    if (!this.exist) return;
    const waiting = [...this.#withInherited()].map((prepare) => prepare(event));
    return waiting.every((each) => each === undefined) ? undefined : Promise.all(waiting);
  }

  /** Each once, however often it is inherited. */
  #withInherited(): Set<Preparation> {
    return new Set([...this.#inherited.flatMap((each) => [...each.#withInherited()]), ...this.#all]);
  }
}
