import { block, type Hooks, proceed } from "@tenterhook/engine";
import { LONGEST_TIMER_MS, messageOf } from "@tenterhook/internal";
import type { Task } from "./task.ts";

/**
 * Asks the coordinator before every tool call. Last of all hooks, because it must check the input that is really used. Without an
 * answer the call is blocked.
 */
export function attachToolCallHook(hooks: Hooks, { askAboutTool }: Task): void {
  hooks.on(
    "before_tool",
    async ({ toolName, toolInput, toolUseId, signal }) => {
      const question = { tool_use_id: toolUseId ?? "", tool_name: toolName, tool_input: toolInput };
      try {
        const verdict = await askAboutTool(question, signal);
        if (verdict.action === "block") return block(verdict.block_reason);
        return verdict.tool_input === undefined ? undefined : proceed({ toolInput: verdict.tool_input });
      } catch (error) {
        return block(`the coordinator did not allow it: ${messageOf(error)}`);
      }
    },
    {
      name: "on_tool_call",
      priority: Number.MIN_SAFE_INTEGER,
      // The coordinator limits how long its hook may take; here only the end of the run does.
      timeoutMs: LONGEST_TIMER_MS,
      source: "coordinator",
    },
  );
}
