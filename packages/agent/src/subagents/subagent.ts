import type { Delegation } from "@tenterhook/engine/host";
import type { RunContext } from "../run/run-context.ts";
import type { RunResult } from "../run/run-result.ts";
import type { ToolCallContext } from "../tools/tool.ts";

/** An agent that others may delegate to. Every `Agent` is one. */
export interface Subagent {
  readonly id: string;
  readonly name: string;
  readonly description: string | undefined;
  /** Runs with the parent's hooks, permissions, approver, metadata and signal. */
  runDelegated(
    message: string,
    delegation: Delegation,
    parent: RunContext,
    context: ToolCallContext,
  ): Promise<RunResult<unknown>>;
}
