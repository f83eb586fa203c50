import type { Input } from "../normalise/tool-calls.ts";

/** What the hooks mean for one native event, before it is put into a client's words. */
export type Verdict =
  | (Additions & {
      readonly type: "proceed";
      /** The native input, where hooks changed it. */
      readonly input?: Input;
      /** Who changed it, and whether all of them may approve what they changed. */
      readonly changedBy?: { readonly hooks: readonly string[]; readonly mayApprove: boolean };
      /** What a tool's result was changed to. */
      readonly result?: { readonly value: unknown; readonly by: string };
    })
  /** The action is refused; at a stop, the agent is held. */
  | (Additions & { readonly type: "block" | "stop"; readonly reason: string; readonly by?: string })
  | (Additions & {
      readonly type: "ask";
      readonly reason: string;
      readonly by?: string;
      readonly input?: Input;
    });

/** Text that goes with a verdict: context for the model, notes for the person. */
export interface Additions {
  /** For the model. */
  readonly context: readonly string[];
  /** For the person. */
  readonly notes: readonly string[];
}

export const PROCEED: Verdict = { type: "proceed", context: [], notes: [] };
