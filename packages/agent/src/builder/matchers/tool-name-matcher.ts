import { createHooks, type Hooks, toolName } from "@tenterhook/engine";
import type { HookContext } from "../contexts/hook-context.ts";
import { ToolHookContext } from "../contexts/tool-hook-context.ts";
import { PlannedMatcher } from "./planned-matcher.ts";

/** Matches a tool by its name: exactly (`bash`), by glob (`read_*`) or by regular expression (`/^(read|write)_.+$/`). */
export class ToolNameMatcher extends PlannedMatcher {
  /** A set of one hook, of which the engine tells whether it would run. */
  #asked: Hooks | undefined;

  constructor(pattern: string | RegExp) {
    super(toolName(pattern));
  }

  matches(context: HookContext): boolean {
    if (!(context instanceof ToolHookContext)) return false;
    if (this.#asked === undefined) {
      this.#asked = createHooks();
      this.#asked.on("before_tool", () => undefined, { matcher: this });
    }
    const payload = { toolName: context.toolCall().name(), toolInput: {} };
    return this.#asked.explain("before_tool", payload).hooks.some(({ runs }) => runs);
  }
}
