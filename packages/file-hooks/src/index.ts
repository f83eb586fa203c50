export { type FileHookSet, fileHooks } from "./attach/file-hook-set.ts";
export { FileHooks, type FileHooksOptions, formatFinding } from "./attach/file-hooks.ts";
export type { Catalogue } from "./discover/catalogue.ts";
export type { CataloguedHook } from "./discover/catalogued-hook.ts";
export { findLocations, type HookScope, type Locations } from "./discover/locations.ts";
