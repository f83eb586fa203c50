import type { Input } from "../translate/canonical-call.ts";
import type { Translated } from "../translate/translate.ts";
import type { PlannedHooks } from "./plan-file.ts";
import { quickMatch } from "./quick-match.ts";

interface ToolPayload {
  readonly toolName?: string;
  readonly toolAliases?: readonly string[];
  readonly toolInput?: Input;
}

/** Whether a hook may match a call. */
export function mayMatch(plan: PlannedHooks, { steps }: Translated): boolean {
  return steps.some(({ event, payload }) => {
    const { toolName, toolAliases = [], toolInput = {} } = payload as ToolPayload;
    const planned = plan[event] ?? [];
    if (toolName === undefined) return planned.length > 0;
    const names = [toolName, ...toolAliases];
    return planned.some((hook) => names.some((name) => quickMatch(hook, name, toolInput) === "maybe"));
  });
}

/** Whether a hook that the client waits for may match a command, whatever it is. */
export function mayGuardShell(plan: PlannedHooks): boolean {
  return (plan.before_tool ?? []).some(
    ({ mode, tool }) =>
      mode === "sync" && quickMatch(tool === undefined ? {} : { tool }, "Shell", {}) === "maybe",
  );
}
