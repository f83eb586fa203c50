// Small tools without dependencies that every package may use. Not part of the public contract.
export { linkedController, onAbort, orAborted } from "./abort.ts";
export { Backoff, type BackoffOptions, backoffMs, retryAfterMs } from "./backoff.ts";
export { BoundedMap } from "./bounded-map.ts";
export { formatValue } from "./format-value.ts";
export { Mutex } from "./mutex.ts";
export { systemCode } from "./system-code.ts";
export { hasField, isInstanceOf, printed, readable, readField } from "./thrown.ts";
export { isPlainObject, isRecord, isThenable, whenReady } from "./type-guards.ts";
export { completesWithin, Latch, LONGEST_TIMER_MS, Notifier, pause } from "./wait.ts";
