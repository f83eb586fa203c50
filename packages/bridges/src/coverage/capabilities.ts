import type { EventName } from "@tenterhook/protocol";
import type { Capabilities, Capability, Evidence } from "../definition/answers.ts";
import type { CapabilityId, Client } from "../definition/client.ts";
import type { NativeEvent } from "../definition/events.ts";
import { deliveringEvents } from "./enforcement.ts";

/** Something that hooks may do, and how far a client lets them. */
export interface CapabilityCoverage {
  readonly id: CapabilityId;
  readonly title: string;
  /** In a word or two. */
  readonly enforced: string;
  readonly isFull: boolean;
  /** Where it is not enforced. */
  readonly why?: string;
  /** How that is known. */
  readonly by: Evidence;
  /** The same in words, with the version and the day. */
  readonly evidence: string;
}

interface CapabilityRow {
  readonly id: CapabilityId;
  readonly title: string;
  readonly events: readonly EventName[];
  readonly capability: keyof Capabilities;
  /** What happens in a client that has no form for it. */
  readonly otherwise: string;
}

const ROWS: readonly CapabilityRow[] = [
  {
    id: "refuse_tool",
    title: "refuse a tool call",
    events: ["before_tool"],
    capability: "block",
    otherwise: "no",
  },
  {
    id: "change_input",
    title: "change its input",
    events: ["before_tool"],
    capability: "rewrite",
    otherwise: "refuses",
  },
  { id: "ask", title: "ask the person", events: ["before_tool"], capability: "ask", otherwise: "refuses" },
  {
    id: "object",
    title: "object to a result",
    events: ["after_tool"],
    capability: "blockAfter",
    otherwise: "later",
  },
  {
    id: "replace_result",
    title: "replace a result",
    events: ["after_tool"],
    capability: "result",
    otherwise: "objects",
  },
  {
    id: "refuse_prompt",
    title: "refuse a prompt",
    events: ["before_agent"],
    capability: "block",
    otherwise: "refuses tools",
  },
  {
    id: "keep_running",
    title: "keep it working",
    events: ["before_stop"],
    capability: "block",
    otherwise: "no",
  },
  {
    id: "keep_subagent_running",
    title: "keep a subagent working",
    events: ["subagent_stop"],
    capability: "block",
    otherwise: "no",
  },
  {
    id: "add_context",
    title: "add text for the model",
    events: ["before_agent", "session_start", "before_tool", "after_tool"],
    capability: "context",
    otherwise: "no",
  },
  {
    id: "name_failure",
    title: "name a hook that failed",
    events: ["before_tool", "after_tool", "before_agent", "before_stop"],
    capability: "note",
    otherwise: "no",
  },
];

/** What hooks can do in a client, from its data. */
export function findCapabilities(client: Client): readonly CapabilityCoverage[] {
  return ROWS.map((row) => {
    const { id, title } = row;
    const natives = row.events
      .flatMap((event) => deliveringEvents(client, event))
      .map(([, native]) => native);
    const form = findForms(natives, row.capability)[0];
    // Whether a result is objected to at once or later, the reason reaches the model.
    const isLost =
      row.capability === "block" && natives.length > 0 && natives.every(({ lost }) => lost !== undefined);
    const limit = form === undefined ? findSubstitute(row, client, natives) : findLimit(id, client, natives);
    const by = findEvidence(row, client, form);
    const known = { by, evidence: evidenceText(client, by) };
    if (isLost)
      return { id, title, enforced: "partly", isFull: false, why: natives[0]?.lost ?? "", ...known };
    return { id, title, enforced: limit ?? "yes", isFull: limit === undefined, ...known };
  });
}

function findForms(natives: readonly NativeEvent[], capability: keyof Capabilities): readonly Capability[] {
  return natives.flatMap(({ waits, capabilities }): readonly Capability[] => {
    const form = waits === false ? undefined : capabilities[capability];
    return form === undefined ? [] : [form];
  });
}

/** The forms at any event that delivers one of ours. */
function formsAt(client: Client, event: EventName, capability: keyof Capabilities): readonly Capability[] {
  return findForms(
    deliveringEvents(client, event).map(([, native]) => native),
    capability,
  );
}

function findSubstitute(
  { id, otherwise }: CapabilityRow,
  client: Client,
  natives: readonly NativeEvent[],
): string {
  if (natives.length === 0) return "no";
  const canObject = formsAt(client, "after_tool", "blockAfter").length > 0;
  return id === "replace_result" && !canObject ? "later" : otherwise;
}

function findLimit(id: CapabilityId, client: Client, natives: readonly NativeEvent[]): string | undefined {
  const { rewrite, ask } = natives[0]?.capabilities ?? {};
  if (id === "name_failure") return client.noticeLimit === undefined ? undefined : "partly";
  if (id === "refuse_tool" && client.endsRunOnBlock === true) return "ends the run";
  if (id === "keep_running" && natives[0]?.stopLimit === 1) return "once";
  if (id !== "change_input" || rewrite?.approves !== true) return undefined;
  return ask?.carriesInput === true ? "asks" : "with can_approve";
}

/** What a client's person does not see of failed hooks, and what to do about it; nothing where they see all of it. */
export function noticeAdvice({ noticeLimit }: Client): string | undefined {
  return noticeLimit === undefined
    ? undefined
    : `${noticeLimit} Write \`on_error: block\` into what must not be passed over.`;
}

/** How a cell is known: by the live tests, by the form itself, or by the form that is used in its place. */
function findEvidence({ id }: CapabilityRow, client: Client, form: Capability | undefined): Evidence {
  if (client.known.live?.shows.includes(id) === true) return "live";
  const lacking = client.known.lacks?.[id];
  if (form !== undefined || lacking !== undefined) return form?.evidence ?? lacking ?? "documented";
  const [refusal] = formsAt(client, "before_tool", "block");
  const [later] = [
    ...formsAt(client, "after_tool", "blockAfter"),
    ...formsAt(client, "before_agent", "context"),
  ];
  const used = id === "object" || id === "replace_result" ? later : refusal;
  return used?.evidence ?? "documented";
}

/** How a fact is known, in words: with which version, and when. */
export function evidenceText({ known: { found, live } }: Client, by: Evidence): string {
  if (by === "live") {
    const seen = Object.entries(live?.processors ?? {});
    return seen
      .map(([processor, { version = "", date }]) => `live test on ${processor} with ${version}, ${date}`)
      .join("; ");
  }
  const { version, date } = found[by] ?? { date: "no day" };
  return `${HOW[by]} ${version === undefined ? "" : `${version}, `}${date}`;
}

const HOW: Readonly<Record<Exclude<Evidence, "live">, string>> = {
  measured: "measured with",
  source: "read in the source of",
  documented: "read in the documentation of",
};
