// What the other packages need of the contract, and no user. Not stable.

export {
  type FileMatcher,
  isHookNameTooLong,
  isPlainHookName,
  isStoredMatcher,
  LONGEST_HOOK_NAME,
  listMatchers,
  mayDecide,
  normalName,
} from "./descriptor.ts";
export {
  checkEffectMatcher,
  EFFECT_NAMES,
  type EffectMatcherInit,
  type EffectMatcherName,
  type EffectName,
  isEffect,
  PATH_SET_NAMES,
  type PathSetName,
} from "./effects.ts";
export type { FieldKind, Meaning } from "./event-row.ts";
export { ALIASES, type AliasDialect, actionFor, type ResolvedEvent, resolveEvent } from "./events.ts";
export type { RuleAction } from "./hook-file.ts";
export { readWrittenName, splitNames, writeName } from "./name-filter.ts";
export { NOT_BY, type NotBy, OUTCOME_TYPES, type PatchArgument, type QuietProceed } from "./outcomes.ts";
export {
  CANONICAL_TOOLS,
  type CanonicalTool,
  canonicalTools,
  isCanonicalTool,
  nativeNames,
  type ToolKind,
  toolKind,
} from "./tool-names.ts";
export { fieldNames, fromWire, toWire, type WireEvent, wireName } from "./wire.ts";
export { formatVerdict, wouldHave } from "./would-have.ts";
