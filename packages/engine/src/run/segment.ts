import { type EventName, type Outcome, proceed, TenterhookError } from "@tenterhook/protocol";
import type { Hook } from "../register/hook.ts";
import { Asking, type Handed, type Pass } from "./asking.ts";
import type { Chain } from "./chain.ts";
import { clearDeadline, type Deadline, type Expiring, setDeadline } from "./deadlines.ts";

/**
 * Walks over a stretch of a chain's hooks. It runs synchronously until a hook must be waited for, and from then on as
 * one async function. When a hook's time is up, that function is abandoned where it waits and another goes on: this
 * way waiting for a hook costs one `await`, and no race.
 */
export class Segment<E extends EventName> implements Expiring {
  readonly #chain: Chain<E>;
  readonly #pass: Pass;
  readonly #end: number;
  #index: number;
  #asking: Asking | undefined;
  #deadline: Deadline | undefined;
  /** Counts up when a waiting function is abandoned, so that it notices when it wakes. */
  #epoch = 0;
  #settle: (() => void) | undefined;

  constructor(chain: Chain<E>, pass: Pass, from: number, end: number) {
    this.#chain = chain;
    this.#pass = pass;
    this.#index = from;
    this.#end = end;
  }

  /** Returns nothing when it is done at once. `handed` is what the first hook has said already. */
  start(handed?: Handed): Promise<void> | undefined {
    const first = handed === undefined ? undefined : this.#resume(handed);
    const waiting = first ?? this.#advance();
    return waiting === undefined ? undefined : this.#wait(waiting);
  }

  /** A hook's time is up: leave it behind and go on. */
  expired(): void {
    this.#deadline = undefined;
    const asking = this.#asking;
    if (asking === undefined) return;
    this.#epoch++;
    asking.ends();
    this.#chain.expire(asking);
    this.#finish();
    const waiting = this.#advance();
    if (waiting === undefined) this.#settle?.();
    else void this.#drive(waiting);
  }

  async #wait(first: PromiseLike<unknown>): Promise<void> {
    const signal = this.#chain.options?.signal;
    const settled = new Promise<void>((resolve) => {
      this.#settle = resolve;
    });
    const abort = () => {
      this.#epoch++;
      this.#disarm();
      this.#chain.cancel(signal?.reason);
      this.#settle?.();
    };
    signal?.addEventListener("abort", abort, { once: true });
    void this.#drive(first);
    await settled;
    signal?.removeEventListener("abort", abort);
  }

  async #drive(first: PromiseLike<unknown>): Promise<void> {
    const epoch = this.#epoch;
    let waiting: PromiseLike<unknown> | undefined = first;
    while (waiting !== undefined) {
      let handed: Handed;
      try {
        handed = { answer: await waiting };
      } catch (error) {
        handed = { thrown: error };
      }
      if (epoch !== this.#epoch) return;
      if (this.#asking?.answered) this.#finish();
      else waiting = this.#take(handed);
      waiting = this.#asking === undefined ? this.#advance() : waiting;
    }
    this.#settle?.();
  }

  /** Asks hooks until one must be waited for, and returns what to wait for. */
  #advance(): PromiseLike<unknown> | undefined {
    while (this.#index < this.#end && this.#chain.decision === undefined) {
      const planned = this.#chain.plan.sync[this.#index];
      if (planned === undefined) return;
      const { hook } = planned;
      const match =
        this.#pass === "judging" && !hook.descriptor.rejudge ? "no" : this.#chain.matches(planned);
      if (match === "no") {
        if (this.#pass === "first") this.#chain.ledger.passed(hook.descriptor, "unmatched");
        this.#index++;
        continue;
      }
      const asking = new Asking(hook, this.#pass, this.#chain.runtime.observers);
      if (match === "unknown") asking.entry.matchUndecided = true;
      this.#asking = asking;
      const handed = TenterhookError.isInstance(match)
        ? { thrown: match }
        : asking.run(() => this.#invoke(hook, asking));
      const waiting = this.#hear(handed);
      if (waiting !== undefined) return waiting;
    }
    return;
  }

  /** Goes on with a hook that a quiet run has called already. */
  #resume(handed: Handed): PromiseLike<unknown> | undefined {
    const planned = this.#chain.plan.sync[this.#index];
    if (planned === undefined) return;
    this.#asking = new Asking(planned.hook, this.#pass, this.#chain.runtime.observers);
    return this.#hear(handed);
  }

  #invoke(hook: Hook, asking: Asking): Handed {
    try {
      const context = this.#chain.context as never;
      if (!hook.isMiddleware) return { answer: hook.handle(context) };
      return { answer: hook.handle(context, this.#next(asking) as never) };
    } catch (error) {
      return { thrown: error };
    }
  }

  /** Takes what a hook handed back, or sets its deadline when that is a promise. */
  #hear(handed: Handed): PromiseLike<unknown> | undefined {
    if ("thrown" in handed || !isThenable(handed.answer)) return this.#take(handed);
    this.#asking?.waits();
    this.#arm();
    return handed.answer;
  }

  /** Gives the hook's answer to the chain; returns what the chain waits for, if it does. */
  #take(handed: Handed): PromiseLike<unknown> | undefined {
    const asking = this.#asking;
    if (asking === undefined) return;
    this.#disarm();
    asking.ends();
    // What a middleware changes after the others have run, everyone has to judge again.
    const at = asking.nextCalled ? this.#chain.plan.sync.length : this.#index;
    const said = asking.misuse === undefined ? handed : { thrown: asking.misuse };
    const waiting = this.#chain.accept(at, asking, said);
    if (waiting === undefined) this.#finish();
    return waiting;
  }

  #finish(): void {
    const asking = this.#asking;
    this.#asking = undefined;
    asking?.close();
    this.#index = asking?.nextCalled ? this.#end : this.#index + 1;
  }

  /** The `next` of a middleware: at most once, in time, and only further in. */
  #next(asking: Asking): (patch?: object) => Outcome | Promise<Outcome> {
    const epoch = this.#epoch;
    const { descriptor } = asking.hook;
    const where = { hook: descriptor.name, event: descriptor.event };
    return (patch) => {
      if (asking.nextCalled) {
        asking.misuse = new TenterhookError("next_called_twice", "it called next() more than once.", {
          ...where,
          hint: "Keep the outcome of the first call.",
        });
        throw asking.misuse;
      }
      if (epoch !== this.#epoch || asking.answered) {
        throw new TenterhookError("hook_timeout", "it called next() after its turn was over.", where);
      }
      asking.nextCalled = true;
      if (this.#pass === "judging") return proceed();
      const changing = patch === undefined ? undefined : this.#chain.changeFor(this.#index, asking, patch);
      if (changing !== undefined) return changing.then(() => this.#runInner(asking));
      return this.#runInner(asking);
    };
  }

  #runInner(asking: Asking): Outcome | Promise<Outcome> {
    const outcome = () => this.#chain.decision?.outcome ?? proceed();
    const waiting = new Segment(this.#chain, this.#pass, this.#index + 1, this.#end).start();
    if (waiting === undefined) return outcome();
    asking.innerRunning = true;
    this.#disarm();
    return waiting.then(() => {
      asking.innerRunning = false;
      if (this.#asking === asking && !asking.answered) this.#arm();
      return outcome();
    });
  }

  #arm(): void {
    const asking = this.#asking;
    if (asking === undefined || asking.innerRunning || this.#deadline !== undefined) return;
    this.#deadline = setDeadline(asking.hook.descriptor.timeoutMs, this);
  }

  #disarm(): void {
    if (this.#deadline === undefined) return;
    clearDeadline(this.#deadline);
    this.#deadline = undefined;
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && typeof (value as PromiseLike<unknown>).then === "function";
}
