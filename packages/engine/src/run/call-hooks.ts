import { isThenable } from "@tenterhook/internal";
import { type EventName, type Outcome, proceed, TenterhookError } from "@tenterhook/protocol";
import type { FieldChange } from "../answer/answer.ts";
import { whose } from "../answer/failure.ts";
import { tickNow } from "../clock/clock.ts";
import type { Hook } from "../register/hook.ts";
import { acceptAnswer, changeForNext, readChanges } from "./accept-answer.ts";
import type { DispatchState } from "./dispatch-state.ts";
import {
  CANCELLED,
  EXPIRED,
  HookCall,
  HookWait,
  type NextUse,
  type Pass,
  Rejection,
  type Steps,
} from "./hook-call.ts";

/**
 * Calls the hooks of a part of a plan in order, until one decides how the dispatch ends. Returns a promise only if it must wait.
 * `outer` is the wait of the middleware that has called these hooks.
 */
export function callHooks<E extends EventName>(
  state: DispatchState<E>,
  pass: Pass,
  from: number,
  to: number,
  outer?: HookWait,
): Promise<void> | undefined {
  const steps = callInOrder(state, pass, from, to, outer);
  const first = steps.next();
  return first.done ? undefined : first.value.run(steps);
}

/** Reads like an async function: it yields where that would await, and `HookWait` resumes it. */
function* callInOrder<E extends EventName>(
  state: DispatchState<E>,
  pass: Pass,
  from: number,
  to: number,
  outer: HookWait | undefined,
): Steps {
  const { observers, recorder } = state;
  let wait: HookWait | undefined;
  /** When the hook before ended, if nothing of a user has run since: reading the clock costs more than a small hook. */
  let endedAt: number | undefined;
  const { sync } = state.plan;
  for (let at = from; state.goesOn() && at < to; at++) {
    const planned = sync[at];
    if (planned === undefined) return;
    const { hook } = planned;
    if (pass === "judging" && state.isCalledOnce(hook)) continue;
    const match = state.matches(planned);
    if (planned.matcher !== undefined) endedAt = undefined;
    if (match === "no") {
      if (pass === "first") recorder.notCalled(hook.descriptor, "unmatched");
      continue;
    }
    let call: HookCall | undefined;
    let result: unknown;
    let calledAt: number | undefined;
    if (match === "yes" && pass === "first" && !hook.isMiddleware && !observers.watching) {
      result = invoke(hook, state.context);
      // Of most hooks there is nothing to tell but that they were called.
      if (result === undefined) {
        recorder.quiet(hook.descriptor);
        continue;
      }
    } else call = new HookCall(hook, pass, at);
    wait ??= new HookWait(state.options?.signal, outer);
    try {
      if (call !== undefined) {
        call.isMatchUndecided = match === "unknown";
        if (observers.watching) call.observe(observers, endedAt);
        const next = hook.isMiddleware ? nextOf(state, call, to, wait) : undefined;
        result =
          match instanceof TenterhookError ? new Rejection(match) : invokeInSpan(call, state.context, next);
      }
      if (isThenable(result)) {
        calledAt = tickNow();
        if (call !== undefined) {
          call.isWaiting = true;
          call.startTiming();
        }
        if (call?.next?.isRunning !== true) wait.setDeadline(hook.descriptor.timeoutMs);
        result = yield wait.on(result);
        if (call !== undefined) call.isWaiting = false;
        else if (result === undefined && calledAt === tickNow()) {
          recorder.quiet(hook.descriptor);
          continue;
        }
      }
      call ??= new HookCall(hook, pass, at, calledAt);
      if (result === EXPIRED) {
        // First, because its abort listeners may call `next`.
        call.end();
        result = new Rejection(state.expire(hook.descriptor));
      } else if (call.next !== undefined) result = yield* awaitNext(call, call.next, result, wait);
      if (call.next?.defect !== undefined) throw call.next.defect.error;
      call.end();
      if (result === undefined) {
        recorder.answered(call, proceed());
        endedAt = call.span !== undefined || observers.hearHookEvents ? undefined : call.endedAt;
      } else {
        endedAt = undefined;
        wait.clearDeadline();
        yield* acceptAnswer(state, call, result, wait);
      }
      // The hooks behind it have been called by its `next`.
      if (call.next?.hasStarted) at = to;
    } catch (error) {
      if (error !== CANCELLED) throw error;
      call ??= new HookCall(hook, pass, at, calledAt);
      call.end();
      state.cancel(state.options?.signal?.reason, call);
      return;
    } finally {
      call?.span?.end(call.entry);
    }
  }
}

/** It does not throw: what the hook throws is a `Rejection`. */
function invoke(hook: Hook, context: unknown, next?: unknown): unknown {
  try {
    // A hook that wraps nothing is not given a second argument.
    return next === undefined ? hook.handle(context as never) : hook.handle(context as never, next as never);
  } catch (error) {
    return new Rejection(error);
  }
}

/** Not written where it is called: the closure would cost every hook, also those without a span. */
function invokeInSpan({ hook, span }: HookCall, context: unknown, next: unknown): unknown {
  return span === undefined ? invoke(hook, context, next) : span.run(() => invoke(hook, context, next));
}

/** A middleware that ends while its `next` runs is waited for, without a deadline; what it returned is read after that. */
function* awaitNext(call: HookCall, use: NextUse, result: unknown, wait: HookWait): Steps<unknown> {
  let answer = result;
  if (use.isRunning && use.promise !== undefined) {
    wait.clearDeadline();
    call.startTiming();
    const ofNext = yield wait.on(use.promise);
    // Its change was refused, which it did not wait to see.
    if (ofNext instanceof Rejection && !use.hasStarted && !(result instanceof Rejection)) answer = ofNext;
  }
  return use.misuse === undefined ? answer : new Rejection(use.misuse);
}

/** The `next` of a middleware: at most once, in time, and only the hooks behind it. */
function nextOf<E extends EventName>(
  state: DispatchState<E>,
  call: HookCall,
  to: number,
  wait: HookWait,
): (patch?: object) => Promise<Outcome> {
  const { descriptor } = call.hook;
  const use: NextUse = {
    isCalled: false,
    isRunning: false,
    hasStarted: false,
    promise: undefined,
    misuse: undefined,
    defect: undefined,
  };
  call.next = use;

  async function next(changes: readonly FieldChange[]): Promise<Outcome> {
    if (use.isCalled) {
      use.misuse = new TenterhookError("next_called_twice", "it called next() more than once.", {
        ...whose(descriptor),
        hint: "Keep the outcome of the first call.",
      });
      throw use.misuse;
    }
    throwIfEnded();
    use.isCalled = true;
    // The second judgement calls each guard by itself.
    if (call.pass === "judging") return proceed();
    // The time of the host's check and of the hooks behind a middleware is not its own.
    use.isRunning = true;
    wait.clearDeadline();
    try {
      if (changes.length > 0) {
        await changeForNext(state, call, changes);
        throwIfEnded();
      }
      use.hasStarted = true;
      const calling = wait.callBehind(() => callHooks(state, call.pass, call.at + 1, to, wait));
      if (calling !== undefined) await calling;
      return state.verdict?.outcome ?? proceed();
    } catch (error) {
      if (use.hasStarted) use.defect = new Rejection(error);
      throw error;
    } finally {
      use.isRunning = false;
      if (call.isWaiting) wait.setDeadline(descriptor.timeoutMs);
    }
  }

  function throwIfEnded(): void {
    if (!call.hasEnded) return;
    throw new TenterhookError("hook_timeout", "it called next() after it had ended.", whose(descriptor));
  }

  return (patch) => {
    // It throws: a middleware that does not wait for `next` must fail too.
    const isRead = patch !== undefined && patch !== state.context && !use.isCalled && call.pass === "first";
    const changes = isRead ? readChanges(state, call, patch) : [];
    const outcome = next(changes);
    // A middleware need not wait for it, and then its rejection must not end the process.
    outcome.catch(() => undefined);
    use.promise ??= outcome;
    return outcome;
  };
}
