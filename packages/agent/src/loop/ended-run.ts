import type { Payload } from "@tenterhook/protocol";
import type { Run } from "./run.ts";

type Declared = NonNullable<Payload<"after_agent">["run"]>;

/**
 * A run as `after_agent` carries it. Its own fields are those that the event declares, and so all that scripts are sent; the
 * conversation and the rest are for code in this process.
 */
export class EndedRun implements Declared {
  readonly id: string;
  readonly status: Run["status"];
  readonly durationMs: number;
  readonly stepCount: number;
  readonly usage: Run["usage"];
  readonly output: unknown;
  readonly #whole: Run<unknown>;

  constructor(whole: Run<unknown>) {
    const { id, status, durationMs, stepCount, usage, output, text } = whole;
    this.id = id;
    this.status = status;
    this.durationMs = durationMs;
    this.stepCount = stepCount;
    this.usage = usage;
    this.output = output ?? text;
    this.#whole = whole;
    // Hooks that run in the background share it.
    Object.freeze(this);
  }

  /** The whole run; `undefined` for what this package did not make. */
  static whole(run: unknown): Run<unknown> | undefined {
    return run instanceof EndedRun ? run.#whole : undefined;
  }
}
