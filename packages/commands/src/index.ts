export {
  compileEffectMatcher,
  type EffectMatch,
  type EffectMatcher,
  type EffectMatcherInit,
  type EffectMatcherName,
  matchEffects,
} from "./effect-matcher.ts";
export {
  type CommandEffect,
  type CommandFiles,
  type ContentClass,
  EFFECT_NAMES,
  type EffectName,
  isEffect,
  type NameTarget,
  type PathTarget,
  type ReadCommandOptions,
  type ShellLanguage,
  type Target,
  type Where,
} from "./effects.ts";
export { formatEffect } from "./format-effect.ts";
export { compilePatterns, type PathPattern } from "./path-patterns.ts";
export {
  type Extent,
  isInGlob,
  isInPathSet,
  PATH_SET_NAMES,
  type PathSetName,
  type PathSetPlace,
} from "./path-sets.ts";
export { type CommandReading, readCommand } from "./read-command.ts";
export { readCommands } from "./read-commands.ts";
export {
  type CommandAssignment,
  type CommandInput,
  type CommandLine,
  type CommandScope,
  isInheritedInput,
  isText,
  programName,
  type Redirection,
  type SimpleCommand,
  type Word,
  writesFile,
} from "./simple-command.ts";
export { isShell, readsScript } from "./started-commands.ts";
