export { FileHooks, type FileHooksOptions, formatFinding } from "./attach/file-hooks.ts";
export type { Catalogue } from "./discover/catalogue.ts";
export type { CataloguedHook, GoneReason } from "./discover/catalogued-hook.ts";
export {
  HOOK_FILE,
  hookFileIn,
  hookSignature,
  isHookFilePath,
  LOWER_CASE_HOOK_FILE,
} from "./discover/hook-file-path.ts";
export { hookFolders } from "./discover/hooks-root.ts";
export {
  formatGuardList,
  type GuardList,
  type GuardsByRoot,
  isGuardAt,
  type KnownGuard,
  KnownGuards,
  readGuardList,
} from "./discover/known-guards.ts";
export { findLocations, type Locations, type Scope } from "./discover/locations.ts";
export { matcherOf } from "./parse/matcher.ts";
export { namedInterpreter, projectOfHook } from "./parse/named-interpreter.ts";
export { type EntryPoint, findEntryPoint } from "./run/entry-point.ts";
export { allowedNames, environmentFor, type HookEnvironment } from "./run/environment.ts";
export { type NoStart, type Start, startWith } from "./run/interpreter.ts";
export { runHook } from "./run/run-hook.ts";
export { sessionFolder } from "./run/session-folder.ts";
export { stdinEvent } from "./run/stdin-event.ts";
export { surroundingsOf } from "./run/surroundings.ts";
export {
  DROPPED,
  FAMILIES,
  HARMLESS,
  isLanguage,
  LANGUAGES,
  SET_ASIDE,
  type VariableFamily,
} from "./run/variable-families.ts";
export type { OmittedVariable } from "./run/variable-list.ts";
export { hashFolder } from "./trust/folder-hash.ts";
export type { TrustedHook } from "./trust/trust-file.ts";
export {
  couldRefuse,
  TrustChecker,
  /** @deprecated Removed in the next version: use `TrustChecker`. */
  TrustChecker as Standings,
  type TrustStatus,
  /** @deprecated Removed in the next version: use `TrustStatus`. */
  type TrustStatus as Standing,
} from "./trust/trust-status.ts";
export { TrustStore } from "./trust/trust-store.ts";
