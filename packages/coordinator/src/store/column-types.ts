import type { WouldHave } from "@tenterhook/protocol";
import type {
  executionMode,
  hookWaitReason,
  ModelUsage,
  RunHookDefinition,
  RunHookType,
  RunnerHookOutcome,
  runKind,
} from "@tenterhook/protocol/runs";
import type { z } from "zod";

export type { ApprovalState } from "../domain/approval-state.ts";
export type { HookState } from "../domain/hook-state.ts";
export type { Requester } from "../domain/requesters.ts";
export type { ModelUsage, RunnerHookOutcome, WouldHave };

// The types of columns whose PostgreSQL type is wider: text with few values, and JSON.
export type Json = Readonly<Record<string, unknown>>;
export type RunKind = z.output<typeof runKind>;
export type ExecutionMode = z.output<typeof executionMode>;
export type PinnedHooks = { readonly [T in RunHookType]?: PinnedHook };

/** A hook as it is stored with a run: named ones resolved. An http hook has the origin of its URL as its `target`. */
export type PinnedHook = RunHookDefinition & {
  readonly mode: "sync" | "async";
  readonly name?: string;
  readonly target?: string;
};

/** Why a hook waits. */
export interface HookWait {
  readonly reason: z.output<typeof hookWaitReason>;
  readonly detail: string;
  /** Why its last call failed, and the pause after that. */
  readonly failure?: string;
  readonly pause_seconds?: number;
}

/** A result as its runner reported it. */
export interface RawResult {
  readonly result_text: string | null;
  readonly result_data: Json | null;
}
