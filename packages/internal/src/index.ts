// What every package needs and no user: without dependencies, for Node and browsers. Not stable.
export { type Abortable, AbortListeners, linkedController, onAbort, orAborted } from "./abort.ts";
export { Backoff, type BackoffOptions, backoffMs, retryAfterMs } from "./backoff.ts";
export { BoundedMap } from "./bounded-map.ts";
export { ERROR_CODES, type ErrorCode, type ErrorDetails, messageOf, TenterhookError } from "./errors.ts";
export { HOOK_FINDINGS } from "./hook-findings.ts";
export * from "./json.ts";
export { Mutex } from "./mutex.ts";
export { didYouMean, nearestWord } from "./nearest-word.ts";
export { fillVariables, formatValue, LONGEST_ERROR, shellQuoted, shellWord, shortened } from "./text.ts";
export { typedCommand } from "./typed-command.ts";
export {
  hasField,
  isInstanceOf,
  isPlainObject,
  isRecord,
  isThenable,
  ownField,
  printed,
  readable,
  readField,
  setField,
  systemCode,
  whenReady,
} from "./values.ts";
export { completesWithin, Latch, LONGEST_TIMER_MS, Notifier, pause } from "./wait.ts";
