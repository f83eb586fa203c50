import type { Normalised } from "../normalise/steps.ts";
import type { Input } from "../normalise/tool-calls.ts";
import type { PlannedHooks } from "./plan-file.ts";
import { quickMatch } from "./quick-match.ts";

/** Whether a hook may match a call. */
export function mayMatch(plan: PlannedHooks, { steps }: Normalised): boolean {
  return steps.some(({ event, payload }) => {
    const { toolName, toolInput } = payload as { readonly toolName?: string; readonly toolInput?: Input };
    const planned = plan[event] ?? [];
    return planned.some(
      (hook) => toolName === undefined || quickMatch(hook, toolName, toolInput ?? {}) === "maybe",
    );
  });
}
