import type { MaybePromise } from "@tenterhook/engine";

/** Goes on with a value at once when it is there already, so that hooks which need no waiting for cost none. */
export function whenThere<T, R>(
  value: T | PromiseLike<T>,
  go: (value: T) => MaybePromise<R>,
): MaybePromise<R> {
  return isThenable(value) ? Promise.resolve(value).then(go) : go(value);
}

function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
