// Hooks as a configuration object. Some of its names, such as HookContext and HookEvent, mean other things in the engine's index.
export { ConfigHooks } from "./config-hooks.ts";
export type * from "./types.ts";
