// What every package needs and no user: without dependencies, for Node and browsers. Not stable.
export { type Abortable, linkedController, onAbort, orAborted } from "./abort.ts";
export { Backoff, type BackoffOptions, backoffMs, retryAfterMs } from "./backoff.ts";
export { BoundedMap } from "./bounded-map.ts";
export { ERROR_CODES, type ErrorCode, type ErrorDetails, messageOf, TenterhookError } from "./errors.ts";
export { fillVariables } from "./fill-variables.ts";
export { formatValue } from "./format-value.ts";
export { HOOK_FINDINGS } from "./hook-findings.ts";
export * from "./json/index.ts";
export { Mutex } from "./mutex.ts";
export { didYouMean, nearestWord } from "./nearest-word.ts";
export { setField } from "./set-field.ts";
export { shellQuoted } from "./shell-quoted.ts";
export { LONGEST_ERROR, shortened } from "./shortened.ts";
export { systemCode } from "./system-code.ts";
export { hasField, isInstanceOf, printed, readable, readField } from "./thrown.ts";
export { isPlainObject, isRecord, isThenable, whenReady } from "./type-guards.ts";
export { completesWithin, Latch, LONGEST_TIMER_MS, Notifier, pause } from "./wait.ts";
