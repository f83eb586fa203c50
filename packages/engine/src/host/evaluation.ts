import type { Payload } from "@tenterhook/protocol";

/** The decision of hooks about a tool call. */
export type Evaluation =
  | { readonly type: "run"; readonly payload: Payload<"before_tool">; readonly context: readonly string[] }
  | {
      readonly type: "skip";
      readonly payload: Payload<"before_tool">;
      readonly result: unknown;
      readonly context: readonly string[];
    }
  | { readonly type: "refused"; readonly reason: string; readonly isRejected: boolean };

/** What `decideApproval` found out about a call, until the tool is called. */
export interface StoredEvaluation {
  readonly toolName: string;
  readonly input: Record<string, unknown>;
  /** Absent: a hook stopped the run. */
  readonly evaluation: Evaluation | undefined;
}
