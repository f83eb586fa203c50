// Where hooks are and which guards are known, for the other packages. Not stable.
export { effectPart, matcherOf, toolMatcherOf } from "../parse/matcher.ts";
export { type GoneReason, isInForce, mustBlock } from "./catalogued-hook.ts";
export {
  HOOK_FILE,
  hookFileIn,
  hookFolders,
  hookSignature,
  isHookFilePath,
  LOWER_CASE_HOOK_FILE,
} from "./hooks-root.ts";
export {
  findGuards,
  forgetAllGuards,
  forgetKnownGuard,
  guardsFile,
  isGuardAt,
  isGuardFor,
  type KnownGuard,
  KnownGuards,
  knownGuardsFile,
  type ListedGuard,
  readGuardList,
  readGuards,
  recordKnownGuards,
  updateGuards,
} from "./known-guards.ts";
