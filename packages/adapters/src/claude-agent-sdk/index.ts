export { claudeHooks, type QueryFunction, withHooks } from "./claude-hooks.ts";
export type { ClaudeOptions, HookedOptions } from "./sdk-types.ts";
