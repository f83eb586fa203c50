import type { MaybePromise } from "@tenterhook/engine";
import { isThenable } from "@tenterhook/protocol/support";

/** Goes on with a value at once when it is there already, so that hooks which need no waiting for cost none. */
export function whenThere<T, R>(
  value: T | PromiseLike<T>,
  go: (value: T) => MaybePromise<R>,
): MaybePromise<R> {
  return isThenable(value) ? Promise.resolve(value).then(go) : go(value);
}
