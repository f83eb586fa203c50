import { isRecord } from "@tenterhook/internal";
import type { EventName } from "@tenterhook/protocol";
import type { AnswerForm, Capabilities, Template } from "../../definition/answers.ts";
import type { Client } from "../../definition/client.ts";
import type { NativeEvent } from "../../definition/events.ts";
import type { Refusal } from "../../session/bridge-session.ts";
import type { CallVerdict } from "../decide/call-verdict.ts";
import type { Input } from "../translate/canonical-call.ts";

/** What the bridge's process prints and ends with. */
export interface NativeAnswer {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: 0 | 2;
}

export const NOTHING: NativeAnswer = { stdout: "", stderr: "", exit: 0 };

/**
 * The exit codes by which the bridge proves to the script that started it that its whole answer is written. Neither Node nor a signal ends
 * a process with them, so that an empty program, a crash or a kill is not taken for an answer.
 */
export const COMPLETE = {
  /** The client is answered with exit code 0. */
  passed: 40,
  /** The client is answered with exit code 2. */
  refused: 42,
} as const;

/** A verdict in a client's format, and what must be remembered because the client has no form for it. */
export interface Encoded {
  readonly answer: NativeAnswer;
  /** The kind of answer that the client got. */
  readonly kind: "nothing" | "block" | "ask" | "rewrite" | "result" | "context";
  /** The client cannot refuse this event, so later ones are refused. */
  readonly refusal?: Refusal;
  /** Text for the model, for the next event that can carry it. */
  readonly keptContext?: readonly string[];
  /** Text that the person sees with this answer. */
  readonly shownNotes?: readonly string[];
  /** Text for the person, for the next event that shows it. */
  readonly keptNotes?: readonly string[];
  /** What could not be done here, for the person and the log. */
  readonly shortfalls: readonly string[];
}

export interface EncodedEvent {
  readonly client: Client;
  readonly eventName: string;
  readonly native: NativeEvent;
  /** The event of ours that decided; the first one when none did. */
  readonly event: EventName;
  /** The native input as it came. */
  readonly input?: Input;
  readonly permissionMode?: string;
  /** The client runs without a person. */
  readonly isUnattended?: boolean;
}

/**
 * Encodes a verdict in the strongest form that the client honours at this event. A capability that the client lacks becomes a block
 * with the reason; where the event cannot be blocked, later ones are.
 */
export function encode(at: EncodedEvent, verdict: CallVerdict): Encoded {
  switch (verdict.type) {
    case "block":
      return refuse(at, verdict, verdict.reason);
    case "stop":
      return stop(at, verdict, verdict.reason);
    case "ask":
      return ask(at, verdict);
    case "proceed":
      return proceed(at, verdict);
  }
}

function refuse(at: EncodedEvent, verdict: CallVerdict, why: string): Encoded {
  const reason = why.trim() === "" ? "blocked, no reason given" : why;
  const { block, blockAfter } = honouredCapabilities(at);
  const form = at.event === "after_tool" ? blockAfter : block;
  if (form !== undefined) {
    const isSure = form.evidence === "live" || form.evidence === "measured";
    const until = REFUSED_UNTIL[at.event];
    return {
      ...encoded(at, form, "block", { reason }, verdict),
      // A form that was not measured may be ignored, so later events are refused too.
      ...(!isSure && until !== undefined && { refusal: { reason, until } }),
    };
  }
  const until = REFUSED_UNTIL[at.event];
  const shortfall = `${at.client.name} cannot ${CANNOT[at.event] ?? "be kept from this"}: ${reason}`;
  if (until === undefined && at.event !== "after_tool") return pass(at, verdict, [shortfall]);
  if (until === undefined) return pass(at, verdict, [shortfall], [reason]);
  return { ...pass(at, verdict, [shortfall]), refusal: { reason, until } };
}

/** For how long later events are refused when an event cannot be. */
const REFUSED_UNTIL: Partial<Record<EventName, Refusal["until"]>> = {
  session_start: "session",
  before_agent: "turn",
};

const CANNOT: Partial<Record<EventName, string>> = {
  session_start: "refuse a session as it starts, so what follows in it is refused",
  before_agent: "refuse a prompt, so the tools that follow are refused",
  after_tool: "withhold the result of a tool, so the reason follows later",
  before_stop: "be kept from stopping",
  subagent_stop: "keep a subagent from stopping",
  pre_compact: "be kept from compacting",
  permission_request: "be kept from asking",
};

/** Ends the whole run: this event is refused, and so are later ones until the person sends a prompt. */
function stop(at: EncodedEvent, verdict: CallVerdict, reason: string): Encoded {
  // An agent that is about to stop does what the hook wants.
  if (at.event === "before_stop" || at.event === "subagent_stop") return pass(at, verdict, [reason]);
  const refused = refuse(at, verdict, reason);
  return { ...refused, refusal: refused.refusal ?? { reason, until: "turn" } };
}

function ask(at: EncodedEvent, verdict: CallVerdict & { readonly type: "ask" }): Encoded {
  const { ask: form } = honouredCapabilities(at);
  const { input } = verdict;
  const reason = verdict.reason.trim() === "" ? "a person must decide" : verdict.reason;
  const refused = (why: string) => {
    const code =
      verdict.allowedBy === undefined ? "" : `. A person can allow this once: ${verdict.allowedBy}`;
    return refuse(at, verdict, `${reason} (a person must decide, and ${at.client.name} ${why})${code}`);
  };
  if (form === undefined) return refused("cannot ask here");
  if (isPromptless(at)) return refused("asks nothing in this mode");
  if (at.isUnattended) return refused("runs without one");
  if (input !== undefined && !form.carriesInput) return refused("cannot ask about a changed input");
  return encoded(at, form, "ask", { reason, input }, verdict);
}

function proceed(at: EncodedEvent, verdict: CallVerdict & { readonly type: "proceed" }): Encoded {
  if (verdict.result !== undefined) return changeResult(at, verdict, verdict.result);
  return verdict.input === undefined ? pass(at, verdict, []) : rewrite(at, verdict, verdict.input);
}

function rewrite(
  at: EncodedEvent,
  verdict: CallVerdict & { readonly type: "proceed" },
  input: Input,
): Encoded {
  const { rewrite: form, ask: question } = honouredCapabilities(at);
  const { hooks = [], mayApprove = false } = verdict.changedBy ?? {};
  const who = hooks.length === 0 ? "a hook" : `the hook ${hooks.join(", ")}`;
  const reason = `${who} changed the input of this call`;
  if (form === undefined) return refuse(at, verdict, `${reason}, and ${at.client.name} cannot change it`);
  const removed = Object.keys(at.input ?? {}).filter((key) => !Object.hasOwn(input, key));
  if (form.takes === "merge" && removed.length > 0) {
    const what = `took ${removed.join(", ")} out of the input of this call`;
    return refuse(at, verdict, `${who} ${what}, and ${at.client.name} can only add to it`);
  }
  if (!form.approves || mayApprove || isPromptless(at))
    return encoded(at, form, "rewrite", { reason, input }, verdict);
  // The client would treat the changed input as approved, and not ask the person.
  if (question?.carriesInput) return encoded(at, question, "ask", { reason, input }, verdict);
  const how =
    "would run the changed call without asking; the hook must say metadata.can_approve: true for that";
  return refuse(at, verdict, `${reason}, and ${at.client.name} ${how}`);
}

function changeResult(
  at: EncodedEvent,
  verdict: CallVerdict & { readonly type: "proceed" },
  { value, by }: { readonly value: unknown; readonly by: string },
): Encoded {
  const { result: form } = honouredCapabilities(at);
  if (form === undefined) {
    const reason = `the hook ${by} changed the result of this call, which ${at.client.name} cannot: do not rely on it`;
    return refuse({ ...at, event: "after_tool" }, verdict, reason);
  }
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return encoded(at, form, "result", { result: text.trim() === "" ? "(nothing)" : text }, verdict);
}

function pass(
  at: EncodedEvent,
  verdict: CallVerdict,
  shortfalls: readonly string[],
  kept: readonly string[] = [],
): Encoded {
  return encoded(at, undefined, "nothing", {}, verdict, shortfalls, kept);
}

/** An answer in a form, with context and notes as far as the client accepts them. */
function encoded(
  at: EncodedEvent,
  form: AnswerForm | undefined,
  kind: Encoded["kind"],
  fillings: Omit<Fillings, "event">,
  verdict: CallVerdict,
  shortfalls: readonly string[] = [],
  kept: readonly string[] = [],
): Encoded {
  const { context, note } = honouredCapabilities(at);
  const all: Fillings = { ...fillings, event: at.eventName };
  const forModel = [...kept, ...verdict.context].filter((text) => text.trim() !== "");
  const forPerson = [...shortfalls, ...verdict.notes].filter((text) => text.trim() !== "");
  // Beside a refusal nothing else is printed: some clients read one thing only.
  const isRefusal = kind === "block" || form?.exit === 2;
  const carries = context !== undefined && !isRefusal && forModel.length > 0;
  const shown = note !== undefined && !isRefusal && forPerson.length > 0 ? note : undefined;
  const noted: Fillings = { ...all, note: noteText(forPerson) };
  const line = shown?.isOwnLine === true ? printed(fill(shown.stdout ?? "", noted)) : "";
  const parts = [
    form?.stdout === undefined ? undefined : fill(form.stdout, all),
    carries ? fill(context.stdout ?? "", { ...all, context: forModel.join("\n\n") }) : undefined,
    shown?.stdout === undefined || shown.isOwnLine ? undefined : fill(shown.stdout, noted),
  ];
  const stderr = [form?.stderr, shown?.stderr].map((part) =>
    part === undefined ? "" : String(fill(part, noted) ?? ""),
  );
  return {
    answer: {
      stdout: `${line}${printed(parts.filter((part) => part !== undefined).reduce(combined, undefined))}`,
      stderr: stderr.map((text) => (text === "" ? "" : `${text}\n`)).join(""),
      exit: form?.exit ?? shown?.exit ?? 0,
    },
    kind: kind === "nothing" && carries ? "context" : kind,
    ...(!carries && forModel.length > 0 && { keptContext: forModel }),
    ...(forPerson.length > 0 && { [shown === undefined ? "keptNotes" : "shownNotes"]: forPerson }),
    shortfalls,
  };
}

function printed(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : `${JSON.stringify(value)}\n`;
}

/** The answers that a client honours at an event. One that does not wait for an answer does not read it either. */
export function honouredCapabilities({ native }: Pick<EncodedEvent, "native">): Capabilities {
  return native.waits === false ? {} : native.capabilities;
}

function isPromptless({ client, permissionMode }: EncodedEvent): boolean {
  return permissionMode !== undefined && client.promptlessModes.includes(permissionMode);
}

const LONGEST_NOTE = 1_000;
const LONGEST_TEXT = 4_000;

/** Characters that move a cursor, hide text or change its direction. A note may quote what a hook printed. */
const UNPRINTABLE = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/gu;

/** Notes as the person reads them: one line each, of a limited length, that says who it comes from. */
function noteText(notes: readonly string[]): string {
  const lines = notes.map((note) => {
    const line = cut(note.replaceAll(UNPRINTABLE, " ").trim(), LONGEST_NOTE);
    return /^tenterhook\b/i.test(line) ? line : `tenterhook: ${line}`;
  });
  return cut(lines.join("\n"), LONGEST_TEXT);
}

function cut(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

/** The values for the holes of a template. */
export interface Fillings {
  readonly event: string;
  readonly reason?: string | undefined;
  readonly context?: string | undefined;
  readonly note?: string | undefined;
  readonly input?: unknown;
  readonly result?: unknown;
  readonly command?: string;
  readonly timeout?: number;
  readonly matcher?: string | undefined;
}

/** A template with its holes filled; a key whose hole has no value is left out. */
export function fill(template: Template, fillings: Fillings): unknown {
  if (typeof template === "string") return hole(template, fillings);
  if (typeof template !== "object" || template === null) return template;
  if (Array.isArray(template)) return template.map((part: Template) => fill(part, fillings));
  return Object.fromEntries(
    Object.entries(template)
      .map(([key, part]) => [key, fill(part, fillings)] as const)
      .filter(([, value]) => value !== undefined),
  );
}

const HOLES = new Set([
  ...["event", "reason", "context", "note", "input", "result"],
  ...["command", "timeout", "matcher"],
]);

function hole(text: string, fillings: Fillings): unknown {
  const name = text.slice(1);
  return text.startsWith("$") && HOLES.has(name) ? fillings[name as keyof Fillings] : text;
}

/** Two answers as one: objects are merged, and of two texts one follows the other. */
export function combined(one: unknown, other: unknown): unknown {
  return typeof one === "string" && typeof other === "string" ? `${one}\n\n${other}` : merged(one, other);
}

/** Two objects merged into one, recursively. */
function merged(one: unknown, other: unknown): unknown {
  if (!isRecord(one) || !isRecord(other)) return other ?? one;
  const result: Record<string, unknown> = { ...one };
  for (const [key, value] of Object.entries(other)) result[key] = merged(result[key], value);
  return result;
}
