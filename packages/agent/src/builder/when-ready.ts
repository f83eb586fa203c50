import type { MaybePromise } from "@tenterhook/engine";
import { isThenable } from "@tenterhook/protocol/support";

/** Continues with a value at once if it is not a promise, so that synchronous hooks stay synchronous. */
export function whenReady<T, R>(
  value: T | PromiseLike<T>,
  next: (value: T) => MaybePromise<R>,
): MaybePromise<R> {
  return isThenable(value) ? Promise.resolve(value).then(next) : next(value);
}
