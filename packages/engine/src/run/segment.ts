import { type EventName, type Outcome, proceed, TenterhookError } from "@tenterhook/protocol";
import { isThenable } from "@tenterhook/protocol/support";
import type { Match } from "../match/match.ts";
import type { Hook } from "../register/hook.ts";
import { Asking, type Begun, type Handed, type Pass, Thrown } from "./asking.ts";
import type { Chain } from "./chain.ts";
import { turnNow, turnNumber } from "./clock.ts";
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
  /** A hook that is waited for and about which there is nothing to tell yet. Most never get further than this. */
  #plain: Hook | undefined;
  /** The turn in which the deadline was set, its time, and for how long. */
  #turn = -1;
  #turnTime = 0;
  #armedMs = 0;
  #asking: Asking | undefined;
  #deadline: Deadline | undefined;
  /** Counts up when a waiting function is abandoned, so that it notices when it wakes. */
  #epoch = 0;
  /** What is done when the last hook has had its turn. */
  #go: (() => unknown) | undefined;
  #resolve: ((value: never) => void) | undefined;
  #undoHeed: (() => void) | undefined;
  /** Wakes this segment when a hook's time is up. */
  #wake: (() => void) | undefined;

  constructor(chain: Chain<E>, pass: Pass, from: number, end: number) {
    this.#chain = chain;
    this.#pass = pass;
    this.#index = from;
    this.#end = end;
  }

  /**
   * Runs the hooks and then `go`: at once when none of them must be waited for, else the promise is for what `go`
   * returns.
   */
  start<T>(go: () => T | Promise<T>): T | Promise<T> {
    const waiting = this.#advance();
    return waiting === undefined ? go() : this.#wait(waiting, go);
  }

  /** The same when the first hook has been asked already, and this is what it said. */
  startWith<T>(said: Handed, go: () => T | Promise<T>): T | Promise<T> {
    const asked = this.#chain.plan.sync[this.#index];
    const waiting = (asked && this.#hearPlainly(asked.hook, said)) ?? this.#advance();
    return waiting === undefined ? go() : this.#wait(waiting, go);
  }

  /** The same when listeners followed that hook from its start. */
  startBegun<T>(begun: Begun, said: Handed, go: () => T | Promise<T>): T | Promise<T> {
    const asked = this.#chain.plan.sync[this.#index];
    if (asked === undefined) return go();
    const asking = new Asking(asked.hook, this.#pass, this.#chain.runtime.observers, begun);
    this.#asking = asking;
    const waiting = this.#hear(asking, said) ?? this.#advance();
    return waiting === undefined ? go() : this.#wait(waiting, go);
  }

  /** A hook's time is up. This is the shared timer's turn, so the walk goes on in its own. */
  expired(): void {
    this.#deadline = undefined;
    this.#wake?.();
  }

  /** Leaves a hook behind whose time is up, and goes on. */
  #leave(): void {
    const asking = this.#currentAsking();
    if (asking === undefined || asking.answered || this.#deadline !== undefined) {
      this.#awaitExpiry();
      return;
    }
    this.#epoch++;
    asking.ends();
    this.#chain.expire(asking);
    this.#finish(asking);
    const waiting = this.#advance();
    if (waiting === undefined) {
      this.#settle();
      return;
    }
    this.#awaitExpiry();
    void this.#drive(waiting);
  }

  /**
   * Waits for the time of a hook to be up. A promise, because it keeps the async context of this dispatch: hooks that
   * come after a timeout must not find themselves in that of whoever set the shared timer.
   */
  #awaitExpiry(): void {
    const expiry = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    void expiry.then(() => this.#leave());
  }

  #wait<T>(first: PromiseLike<unknown>, go: () => T | Promise<T>): Promise<T> {
    this.#go = go;
    return new Promise<T>((resolve) => {
      this.#resolve = resolve;
      const signal = this.#chain.options?.signal;
      const abort = signal === undefined ? undefined : this.#heed(signal);
      this.#awaitExpiry();
      void this.#drive(first);
      // Cancelled while the hook was called: a signal tells nobody who comes later.
      if (signal?.aborted) abort?.();
    });
  }

  /** Gives up when the host cancels, and stops listening when it is over. */
  #heed(signal: AbortSignal): () => void {
    const abort = () => {
      const asking = this.#currentAsking();
      this.#epoch++;
      asking?.ends();
      this.#chain.cancel(signal.reason, asking);
      asking?.span?.end(asking.entry);
      this.#settle();
    };
    signal.addEventListener("abort", abort, { once: true });
    this.#undoHeed = () => signal.removeEventListener("abort", abort);
    return abort;
  }

  async #drive(first: PromiseLike<unknown>): Promise<void> {
    const epoch = this.#epoch;
    let waiting: PromiseLike<unknown> | undefined = first;
    while (waiting !== undefined) {
      let answer: unknown;
      let thrown: Thrown | undefined;
      try {
        answer = await waiting;
      } catch (error) {
        thrown = new Thrown(error);
      }
      if (epoch !== this.#epoch) return;
      waiting = this.#heard(thrown ?? answer) ?? this.#advance();
    }
    this.#settle();
  }

  /** What was waited for has come: a hook's answer, or the end of what its answer set off. */
  #heard(handed: Handed): PromiseLike<unknown> | undefined {
    if (this.#plain !== undefined && handed === undefined) {
      const { descriptor } = this.#plain;
      if (this.#turn === turnNumber()) this.#chain.ledger.quiet(descriptor);
      else this.#chain.ledger.quietAfter(descriptor, this.#turnTime, turnNow() - this.#turnTime);
      this.#plain = undefined;
      this.#index++;
      return;
    }
    const asking = this.#currentAsking();
    if (asking === undefined) return;
    if (!asking.answered) return this.#take(asking, handed);
    this.#finish(asking);
    return;
  }

  #currentAsking(): Asking | undefined {
    if (this.#plain !== undefined) {
      const { observers } = this.#chain.runtime;
      this.#asking = new Asking(this.#plain, this.#pass, observers, this.#turnTime);
      this.#plain = undefined;
    }
    return this.#asking;
  }

  #settle(): void {
    this.#disarm();
    this.#undoHeed?.();
    const resolve = this.#resolve;
    this.#resolve = undefined;
    resolve?.(this.#go?.() as never);
  }

  /** Asks hooks until one must be waited for, and returns what to wait for. */
  #advance(): PromiseLike<unknown> | undefined {
    const chain = this.#chain;
    while (this.#index < this.#end && chain.decision === undefined) {
      const planned = chain.plan.sync[this.#index];
      if (planned === undefined) return;
      const { hook } = planned;
      const match = this.#pass === "judging" && !hook.descriptor.rejudge ? "no" : chain.matches(planned);
      if (match === "no") {
        if (this.#pass === "first") chain.ledger.passed(hook.descriptor, "unmatched");
        this.#index++;
        continue;
      }
      const waiting =
        match === "yes" && this.#isPlain(hook) ? this.#askPlainly(hook) : this.#ask(hook, match);
      if (waiting !== undefined) return waiting;
    }
    return;
  }

  /** Nobody watches, and the hook wraps nothing: there are no books to keep unless it says something. */
  #isPlain(hook: Hook): boolean {
    return !hook.isMiddleware && this.#pass === "first" && !this.#chain.runtime.observers.watching;
  }

  #askPlainly(hook: Hook): PromiseLike<unknown> | undefined {
    let handed: Handed;
    try {
      handed = hook.handle(this.#chain.context as never);
    } catch (error) {
      handed = new Thrown(error);
    }
    return this.#hearPlainly(hook, handed);
  }

  #hearPlainly(hook: Hook, handed: Handed): PromiseLike<unknown> | undefined {
    if (handed === undefined) {
      this.#chain.ledger.quiet(hook.descriptor);
      this.#index++;
      return;
    }
    if (isThenable(handed)) {
      this.#plain = hook;
      this.#arm(hook.descriptor.timeoutMs);
      return handed;
    }
    this.#asking = new Asking(hook, this.#pass, this.#chain.runtime.observers);
    return this.#take(this.#asking, handed);
  }

  #ask(hook: Hook, match: Match | TenterhookError): PromiseLike<unknown> | undefined {
    const asking = new Asking(hook, this.#pass, this.#chain.runtime.observers);
    this.#asking = asking;
    if (match === "unknown") asking.entry.matchUndecided = true;
    const handed = match instanceof TenterhookError ? new Thrown(match) : this.#call(asking);
    return this.#hear(asking, handed);
  }

  /** Takes a hook's answer, or waits for it. */
  #hear(asking: Asking, handed: Handed): PromiseLike<unknown> | undefined {
    if (!isThenable(handed)) return this.#take(asking, handed);
    asking.waits();
    if (!asking.innerRunning) this.#arm(asking.hook.descriptor.timeoutMs);
    return handed;
  }

  #call(asking: Asking): Handed {
    const { span } = asking;
    return span === undefined ? this.#invoke(asking) : span.run(() => this.#invoke(asking));
  }

  #invoke(asking: Asking): Handed {
    const { hook } = asking;
    try {
      const context = this.#chain.context as never;
      return hook.isMiddleware ? hook.handle(context, this.#next(asking) as never) : hook.handle(context);
    } catch (error) {
      return new Thrown(error);
    }
  }

  /** Gives the hook's answer to the chain; returns what the chain waits for, if it does. */
  #take(asking: Asking, handed: Handed): PromiseLike<unknown> | undefined {
    asking.ends();
    // What a middleware changes after the others have run, everyone has to judge again.
    const at = asking.nextCalled ? this.#chain.plan.sync.length : this.#index;
    const said = asking.misuse === undefined ? handed : new Thrown(asking.misuse);
    const waiting = this.#chain.accept(at, asking, said);
    if (waiting === undefined) this.#finish(asking);
    return waiting;
  }

  #finish(asking: Asking): void {
    this.#asking = undefined;
    asking.span?.end(asking.entry);
    this.#index = asking.nextCalled ? this.#end : this.#index + 1;
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
    const inner = new Segment(this.#chain, this.#pass, this.#index + 1, this.#end);
    const outcome = inner.start(() => {
      asking.innerRunning = false;
      if (this.#asking === asking && asking.waiting) this.#arm(asking.hook.descriptor.timeoutMs);
      return this.#chain.decision?.outcome ?? proceed();
    });
    if (outcome instanceof Promise) {
      asking.innerRunning = true;
      this.#disarm();
    }
    return outcome;
  }

  /** Sets a hook's deadline. The one set for the hook before it serves again when it is due at the same time. */
  #arm(timeoutMs: number): void {
    const turn = turnNumber();
    if (this.#deadline !== undefined && this.#turn === turn && this.#armedMs === timeoutMs) return;
    this.#disarm();
    this.#turn = turn;
    this.#turnTime = turnNow();
    this.#armedMs = timeoutMs;
    this.#deadline = setDeadline(timeoutMs, this);
  }

  #disarm(): void {
    if (this.#deadline === undefined) return;
    clearDeadline(this.#deadline);
    this.#deadline = undefined;
  }
}
