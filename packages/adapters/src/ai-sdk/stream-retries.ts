import { isRecord } from "@tenterhook/internal";
import type { Settings } from "./settings.ts";

/** What follows an answer that contains an error: the model is called again, the program's `onError` decides, or the run ends. */
export type AfterError = "retry" | "ask" | "end";

/** The retries of answers that contain an error (`streamRetries`, which version 7 has), counted as the SDK does: in each step. */
export class StreamRetries {
  readonly #limit: number | undefined;
  readonly #hasCallback: boolean;
  #step = -1;
  #retried = 0;
  #asked = 0;

  constructor(limit: number | undefined, hasCallback: boolean) {
    this.#limit = limit;
    this.#hasCallback = hasCallback;
  }

  /** Counts an error in a step. */
  count(step: number): AfterError {
    if (this.#limit === undefined) return "end";
    if (step !== this.#step) {
      this.#step = step;
      this.#retried = 0;
      this.#asked = 0;
    }
    if (this.#retried < this.#limit) {
      this.#retried++;
      return "retry";
    }
    return this.#hasCallback && this.#asked++ === 0 ? "ask" : "end";
  }
}

/** The ends of runs about which `onError` of the program decides, by the error. An agent has one `onError` for all its runs. */
const undecided = new WeakMap<object, () => Promise<unknown>>();

/** Lets `onError` decide whether the run that has this error goes on. */
export function leaveToCallback(error: Error, end: () => Promise<unknown>): void {
  undecided.set(error, end);
}

/** `onError` of the program, after which a run has ended unless it asked for a retry. */
export function chainOnError(own: NonNullable<Settings["onError"]>): NonNullable<Settings["onError"]> {
  return (event) => {
    const end = findEnd(event.error);
    return end === undefined ? own(event) : decide(own, event, end);
  };
}

async function decide(
  own: NonNullable<Settings["onError"]>,
  event: { readonly error: unknown },
  end: () => Promise<unknown>,
): Promise<unknown> {
  let isRetried = false;
  try {
    const result = await own(event);
    isRetried = isRecord(result) && result.retry === true;
    return result;
  } finally {
    if (!isRetried) await end();
  }
}

/** The SDK wraps the errors of its gateway. */
function findEnd(error: unknown): (() => Promise<unknown>) | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const { cause } = error as Error;
  return (
    undecided.get(error) ?? (typeof cause === "object" && cause !== null ? undecided.get(cause) : undefined)
  );
}
