// What the other packages need of the engine, and no user. Not stable.
export { LogFile, rotateLog } from "./built-in/log-file.ts";
export { type InputTexts, textsOf as inputTexts } from "./match/input-texts.ts";
export type { Match } from "./match/match.ts";
export type { MatcherFor } from "./match/matcher.ts";
export { matches } from "./match/matches.ts";
export { compilePattern, type Pattern } from "./match/pattern.ts";
export { PatternBudget } from "./match/pattern-budget.ts";
export { hasPlainWord, isPlainWord, type PlainWord, plainWords } from "./match/plain-pattern.ts";
export { LONGEST_TOOL_NAME } from "./match/tool-name.ts";
export type { ExplainedHook } from "./plan/explain.ts";
export type { MaybePromise } from "./register/hook.ts";
