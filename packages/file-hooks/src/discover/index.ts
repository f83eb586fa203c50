// Where hooks are and which guards are known, for the other packages. Not stable.
export { matcherOf } from "../parse/matcher.ts";
export type { GoneReason } from "./catalogued-hook.ts";
export {
  HOOK_FILE,
  hookFileIn,
  hookSignature,
  isHookFilePath,
  LOWER_CASE_HOOK_FILE,
} from "./hook-file-path.ts";
export { hookFolders } from "./hooks-root.ts";
export {
  formatGuardList,
  type GuardList,
  type GuardsByRoot,
  isGuardAt,
  type KnownGuard,
  KnownGuards,
  listedGuards,
  readGuardList,
} from "./known-guards.ts";
export { guardsFile, type ListedGuard, readGuardLines, readGuards } from "./listed-guards.ts";
