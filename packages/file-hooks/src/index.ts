export { type FileHookSet, fileHooks } from "./attach/file-hook-set.ts";
export { FileHooks, type FileHooksOptions } from "./attach/file-hooks.ts";
export { formatFinding } from "./attach/format-finding.ts";
export type { Catalogue } from "./discover/catalogue.ts";
export type { CataloguedHook } from "./discover/catalogued-hook.ts";
export { findLocations, type HookScope, type Locations } from "./discover/locations.ts";
