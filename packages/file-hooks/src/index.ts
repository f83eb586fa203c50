export { FileHooks, type FileHooksOptions, formatFinding } from "./attach/file-hooks.ts";
export type { Catalogue, CataloguedHook } from "./discover/catalogue.ts";
export { findLocations, type Locations, type Scope } from "./discover/locations.ts";
export { type ProcessExit, type ProcessOptions, runProcess } from "./run/process.ts";
export { runHook } from "./run/run-hook.ts";
export { type TrustedHook, TrustStore } from "./trust/trust-store.ts";
