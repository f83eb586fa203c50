import type { Payload } from "@tenterhook/protocol";
import type { RunResult } from "./run-result.ts";

type Declared = NonNullable<Payload<"after_agent">["run"]>;

/**
 * The `run` of `after_agent`. It has only the fields that the event declares, which are also sent to scripts; code in this process
 * can read the whole run.
 */
export class EndedRun implements Declared {
  readonly id: string;
  readonly status: RunResult["status"];
  readonly durationMs: number;
  readonly stepCount: number;
  readonly usage: RunResult["usage"];
  readonly output: unknown;
  readonly #whole: RunResult<unknown>;

  constructor(whole: RunResult<unknown>) {
    const { id, status, durationMs, stepCount, usage, output, text } = whole;
    this.id = id;
    this.status = status;
    this.durationMs = durationMs;
    this.stepCount = stepCount;
    this.usage = usage;
    this.output = output ?? text;
    this.#whole = whole;
    // Background hooks share it.
    Object.freeze(this);
  }

  /** The whole run; `undefined` for other values. */
  static whole(run: unknown): RunResult<unknown> | undefined {
    return run instanceof EndedRun ? run.#whole : undefined;
  }
}
