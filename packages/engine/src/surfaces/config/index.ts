// Hooks as a configuration object, with names of its own for contexts and events.
export { ConfigHooks } from "./config-hooks.ts";
export type * from "./types.ts";
