export {
  EFFECT_NAMES,
  type EffectMatcherInit,
  type EffectMatcherName,
  type EffectName,
  isEffect,
  PATH_SET_NAMES,
  type PathSetName,
} from "@tenterhook/protocol/internal";
export {
  compileEffectMatcher,
  type EffectMatch,
  type EffectMatcher,
  matchEffects,
} from "./effect-matcher.ts";
export type {
  CommandEffect,
  CommandFiles,
  ContentClass,
  NameTarget,
  PathTarget,
  ReadCommandOptions,
  ShellLanguage,
  Target,
  Where,
} from "./effects.ts";
export { formatEffect } from "./format-effect.ts";
export type { RunCommand } from "./interpret/state.ts";
export {
  isInPathSet,
  type PathSetPlace,
} from "./path-sets.ts";
export { type CommandReading, readCommand } from "./read-command.ts";
export { isInheritedInput, isShell, programName, readsScript } from "./started-commands.ts";
export { type CalledTool, type ReadToolOptions, readToolEffects } from "./tool-effects.ts";
