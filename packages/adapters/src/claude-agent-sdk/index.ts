export { claudeHooks } from "./claude-hooks.ts";
export type { ClaudeOptions, HookedOptions } from "./sdk-types.ts";
export { type QueryFunction, withHooks } from "./with-hooks.ts";
