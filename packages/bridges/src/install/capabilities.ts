import type { EventName } from "@tenterhook/protocol";
import type { Evidence, Power, Powers } from "../shape/answers.ts";
import type { Client } from "../shape/client.ts";
import { deliveringEvents } from "./holding.ts";

/** Something that hooks may do, and how far a client lets them. */
export interface Capability {
  readonly id: string;
  readonly title: string;
  /** In a word or two. */
  readonly holds: string;
  readonly isFull: boolean;
  /** How that is known; absent where the client has no way to do it. */
  readonly evidence?: Evidence;
}

interface CapabilityRow {
  readonly id: string;
  readonly title: string;
  readonly events: readonly EventName[];
  readonly power: keyof Powers;
  /** What happens in a client that has no form for it. */
  readonly otherwise: string;
}

const ROWS: readonly CapabilityRow[] = [
  {
    id: "refuse_tool",
    title: "refuse a tool call",
    events: ["before_tool"],
    power: "block",
    otherwise: "no",
  },
  {
    id: "change_input",
    title: "change its input",
    events: ["before_tool"],
    power: "rewrite",
    otherwise: "refuses",
  },
  { id: "ask", title: "ask the person", events: ["before_tool"], power: "ask", otherwise: "refuses" },
  {
    id: "object",
    title: "object to a result",
    events: ["after_tool"],
    power: "blockAfter",
    otherwise: "later",
  },
  {
    id: "replace_result",
    title: "replace a result",
    events: ["after_tool"],
    power: "result",
    otherwise: "objects",
  },
  {
    id: "refuse_prompt",
    title: "refuse a prompt",
    events: ["before_agent"],
    power: "block",
    otherwise: "refuses tools",
  },
  { id: "hold", title: "keep it working", events: ["before_stop"], power: "block", otherwise: "no" },
  {
    id: "hold_subagent",
    title: "keep a subagent working",
    events: ["subagent_stop"],
    power: "block",
    otherwise: "no",
  },
  {
    id: "add_context",
    title: "add text for the model",
    events: ["before_agent", "session_start", "before_tool", "after_tool"],
    power: "context",
    otherwise: "no",
  },
];

/** What hooks can do in a client, from its data. */
export function capabilitiesOf(client: Client): readonly Capability[] {
  return ROWS.map(({ id, title, events, power, otherwise }) => {
    const natives = events.flatMap((event) => deliveringEvents(client, event)).map(([, native]) => native);
    const forms = natives.flatMap(({ waits, powers }): readonly Power[] => {
      const form = waits === false ? undefined : powers[power];
      return form === undefined ? [] : [form];
    });
    const [form] = forms;
    if (form === undefined)
      return { id, title, holds: natives.length === 0 ? "no" : otherwise, isFull: false };
    const limit = limitOf(id, client, natives[0]?.powers ?? {});
    return { id, title, holds: limit ?? "yes", isFull: limit === undefined, evidence: form.evidence };
  });
}

function limitOf(id: string, client: Client, { rewrite, ask }: Powers): string | undefined {
  if (id === "refuse_tool" && client.endsRunOnBlock === true) return "ends the run";
  if (id !== "change_input" || rewrite?.approves !== true) return undefined;
  return ask?.carriesInput === true ? "asks" : "with can_approve";
}

/** How a fact is known, in words. */
export const EVIDENCE: Readonly<Record<Evidence, string>> = {
  live: "tested live in this repository's suite",
  measured: "built from measurements",
  source: "read in the client's source",
  documented: "from the client's documentation",
};
