import { type EventName, eventRow, type Immutable, type Payload } from "@tenterhook/protocol";
import type { Input } from "../translate/canonical-call.ts";

/** The verdict of the hooks about one native event, before it is encoded for the client. */
export type CallVerdict =
  | (Additions &
      Changes & {
        readonly type: "proceed";
        /** The changed result of a tool. */
        readonly result?: { readonly value: unknown; readonly by: string };
      })
  /** The action is refused; at a stop, the agent is kept running. */
  | (Additions & { readonly type: "block" | "stop"; readonly reason: string; readonly by?: string })
  | (Additions &
      Changes & {
        readonly type: "ask";
        readonly reason: string;
        readonly by?: string;
        /** Everything that hooks have asked. */
        readonly questions?: readonly AskedPerson[];
        /** What a person can run to allow the call once, where the client cannot ask them. */
        readonly allowedBy?: string;
      });

/** What hooks have changed of a call. */
interface Changes {
  /** The native input, where hooks changed it. */
  readonly input?: Input;
  /** The hooks that changed it, and whether all of them may approve the changed call. */
  readonly changedBy?: { readonly hooks: readonly string[]; readonly mayApprove: boolean };
}

/** A hook's question to a person, about the payload that it has judged. */
export interface AskedPerson {
  readonly reason: string;
  readonly by: string;
  readonly event: EventName;
  readonly payload: Immutable<Payload<EventName>>;
}

/** Text that goes with a verdict: context for the model, notes for the person. */
export interface Additions {
  /** For the model. */
  readonly context: readonly string[];
  /** For the person. */
  readonly notes: readonly string[];
}

export const PROCEED: CallVerdict = { type: "proceed", context: [], notes: [] };

/** The verdict about a call that could not be checked: the guards with `on_error: block` block it. */
export function onErrorVerdict(event: EventName, guards: readonly string[], why: string): CallVerdict {
  const note = `this was not checked: ${why}`;
  if (guards.length === 0 || eventRow(event).failure.action !== "refuse")
    return { type: "proceed", context: [], notes: [note] };
  const names = guards.join(", ");
  return {
    type: "block",
    reason: `${note}; ${names} must not be passed over`,
    by: names,
    context: [],
    notes: [],
  };
}
