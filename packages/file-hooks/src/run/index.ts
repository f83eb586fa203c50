// How a hook's process is started, for the other packages. Not stable.

export { removeTemporary } from "../caller/environment.ts";
export { namedInterpreter, projectOfHook } from "../parse/named-interpreter.ts";
export { type EntryPoint, findEntryPoint } from "./entry-point.ts";
export { allowedNames, environmentFor, type HookEnvironment } from "./environment.ts";
export { type NoStart, type Start, startWith } from "./interpreter.ts";
export { runHook } from "./run-hook.ts";
export { sessionFolder } from "./session-folder.ts";
export { stdinEvent, writtenEffect } from "./stdin-event.ts";
export { surroundingsOf } from "./surroundings.ts";
export { DROPPED, FAMILIES, HARMLESS, isLanguage, LANGUAGES, SET_ASIDE } from "./variable-families.ts";
