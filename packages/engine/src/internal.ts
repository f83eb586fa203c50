// What the other packages need of the engine, and no user. Not stable.

export { LogFile, rotateLog } from "./built-in/log-file.ts";
export type { MatchedEffect } from "./context/hook-context.ts";
export { matches } from "./match/any-name.ts";
export { effectFinder, effectsOfCall, loadEffects, readEffects } from "./match/call-effects.ts";
export { effectMatcher, LONGEST_TOOL_NAME, type MatcherFor } from "./match/matcher.ts";
export {
  compilePattern,
  hasPlainWord,
  isPlainWord,
  type Match,
  neededWords,
  type Pattern,
  PatternBudget,
  type PlainWord,
  plainWords,
} from "./match/pattern.ts";
export { type InputTexts, inputTexts } from "./match/subject.ts";
export type { ExplainedHook } from "./plan/explain.ts";
export type { MaybePromise } from "./register/hook.ts";
export { askIfUnreadable } from "./register/unreadable.ts";
