import { hookState } from "@tenterhook/protocol/runs";
import type { z } from "zod";
import { StateTable } from "./state-table.ts";

export type HookState = z.output<typeof hookState>;

/**
 * The states of a run's hook. `waiting` is an agent hook whose run executes it, `asking` one whose approval is pending: only a
 * person's decision, or the end of the run, ends that. A hook whose lease expired is `pending` again; a reply that comes
 * after all still ends it.
 */
export const HOOK_STATES = new StateTable<HookState>(hookState.options, ["pending"], {
  pending: ["running", "asking", "done", "failed", "blocked", "cancelled"],
  running: ["pending", "waiting", "asking", "done", "failed", "blocked", "cancelled"],
  waiting: ["asking", "done", "failed", "blocked", "cancelled"],
  asking: ["done", "failed", "blocked", "cancelled"],
  done: [],
  failed: [],
  blocked: [],
  cancelled: [],
});
