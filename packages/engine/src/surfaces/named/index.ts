// Pre- and post-hooks that are registered by name and listed by agents.
export { NamedHooks } from "./named-hooks.ts";
export type * from "./types.ts";
