import type { HookContext } from "../contexts/hook-context.ts";

/** Says whether a hook is asked. What cannot be decided should count as matching: then the hook decides. */
export interface HookMatcher {
  matches(context: HookContext): boolean;
}
