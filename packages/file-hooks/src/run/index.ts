// How a hook's process is started, for the other packages. Not stable.

export { removeTemporary } from "../discover/locations.ts";
export { namedInterpreter, projectOfHook } from "../trust/trust-store.ts";
export { allowedNames, environmentFor, type HookEnvironment } from "./environment.ts";
export { runHook, sessionFolder, stdinEvent, writtenEffect } from "./run-hook.ts";
export { type EntryPoint, findEntryPoint, type NoStart, type Start, startWith } from "./script-start.ts";
export { surroundingsOf } from "./surroundings.ts";
export { DROPPED, FAMILIES, HARMLESS, isLanguage, LANGUAGES, SET_ASIDE } from "./variable-families.ts";
