// Pre- and post-hooks that are registered by name and listed by agents.
export * from "./named-hooks.ts";
