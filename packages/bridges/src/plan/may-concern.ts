import type { Locations } from "@tenterhook/file-hooks";
import type { Normalised } from "../normalise/steps.ts";
import type { Input } from "../normalise/tool-calls.ts";
import { keptPlan } from "./plan-file.ts";
import { quickMatch } from "./quick-match.ts";

/** Whether a hook may have something to say about a call. Without a plan that still holds, one may. */
export function mayConcern(places: readonly Locations[], { steps }: Normalised): boolean {
  return steps.some(({ event, payload }) => {
    // The end of a refused tool is told by the bridge itself, where hooks want to know of it.
    const planned = keptPlan(places, [event]);
    if (planned === undefined) return true;
    const { toolName, toolInput } = payload as { readonly toolName?: string; readonly toolInput?: Input };
    return planned.some(
      (hook) => toolName === undefined || quickMatch(hook, toolName, toolInput ?? {}) === "maybe",
    );
  });
}
