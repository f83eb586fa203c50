import type { Action } from "./actions.ts";
import type { EventRow, Meaning } from "./event-row.ts";
import type { OutcomeType } from "./outcomes.ts";

const BASIC = ["proceed", "block", "stop"] as const;

const RECORDED: Meaning = { action: "record", means: "recorded" };
const AS_BLOCK: Meaning = { action: "refuse", means: "as block" };
const TURN_FAILS: Meaning = { action: "fail", means: "the turn fails" };

/**
 * The event table: when each event fires, what a hook may change there, and what each outcome means.
 * Everything else is generated from it or tested against it.
 */
export const EVENTS = {
  session_start: {
    when: "a session begins",
    layer: "agent",
    ownTurn: true,
    subject: "the session",
    guards: true,
    changes: {},
    adds: "context",
    outcomes: BASIC,
    block: { action: "refuse", means: "the session is refused" },
    failure: { action: "refuse", means: "the session is refused" },
    stop: "stop",
  },
  session_end: {
    when: "a session ends",
    layer: "agent",
    ownTurn: true,
    subject: "the end of the session",
    changes: {},
    outcomes: BASIC,
    block: RECORDED,
    failure: RECORDED,
    stop: "record",
  },
  before_agent: {
    when: "before a user message is processed",
    layer: "agent",
    ownTurn: true,
    subject: "the message",
    guards: true,
    changes: { message: "string" },
    input: "message",
    adds: "context",
    outcomes: BASIC,
    block: { action: "refuse", means: "the turn is refused" },
    failure: { action: "refuse", means: "the turn is refused" },
    stop: "stop",
  },
  after_agent: {
    when: "after the turn; `status` is completed, failed or stopped",
    layer: "agent",
    ownTurn: true,
    subject: "the run",
    changes: {},
    outcomes: BASIC,
    block: RECORDED,
    failure: { action: "raise", means: "reaches the caller; the run is stored" },
    stop: "record",
  },
  before_step: {
    when: "an iteration begins",
    layer: "agent",
    subject: "the step",
    guards: true,
    changes: { messages: "array", state: "object" },
    outcomes: [...BASIC, "skip"],
    block: { action: "skip", means: "as skip" },
    failure: TURN_FAILS,
    stop: "stop",
    skip: "the iteration is skipped; it counts",
  },
  after_step: {
    when: "an iteration ends",
    layer: "agent",
    subject: "the step",
    changes: { messages: "array", state: "object" },
    outcomes: BASIC,
    block: RECORDED,
    failure: TURN_FAILS,
    stop: "stop",
  },
  before_llm: {
    when: "before a model call",
    layer: "agent",
    subject: "the model call",
    guards: true,
    changes: { messages: "array", tools: "array", systemPrompt: "string", model: "string" },
    outcomes: [...BASIC, "skip"],
    block: { action: "fail", means: "the turn fails with the reason" },
    failure: TURN_FAILS,
    stop: "stop",
    skip: "the model is not called, the given response is used (a cache)",
  },
  after_llm: {
    when: "a model answered",
    layer: "agent",
    subject: "the answer",
    changes: { text: "string", toolUses: "array" },
    outcomes: BASIC,
    block: {
      action: "refuse",
      means: "the answer is refused, the reason goes back to the model, capped",
    },
    failure: TURN_FAILS,
    stop: "stop",
  },
  before_tool: {
    when: "before a tool runs",
    layer: "agent",
    subject: "the tool call",
    tool: true,
    guards: true,
    changes: { toolInput: "object" },
    input: "toolInput",
    adds: "context",
    outcomes: [...BASIC, "skip", "ask"],
    block: { action: "refuse", means: "the tool does not run, the model gets the reason" },
    failure: AS_BLOCK,
    stop: "stop",
    skip: "the tool does not run, the given result is used",
    edits: "toolInput",
  },
  after_tool: {
    when: "a tool succeeded",
    layer: "agent",
    subject: "the result",
    tool: true,
    changes: { toolResult: "any" },
    result: "toolResult",
    adds: "context",
    outcomes: BASIC,
    block: { action: "refuse", means: "the result is withheld, the model gets the reason" },
    failure: AS_BLOCK,
    stop: "stop",
  },
  after_tool_failure: {
    when: "a tool failed",
    layer: "agent",
    subject: "the failure",
    tool: true,
    changes: { toolResult: "any" },
    result: "toolResult",
    adds: "context",
    outcomes: [...BASIC, "recover"],
    block: RECORDED,
    failure: RECORDED,
    stop: "stop",
    recover: "the given result stands in for the failed one",
  },
  before_stop: {
    when: "the agent is about to stop",
    layer: "agent",
    ownTurn: true,
    subject: "the stop",
    changes: {},
    outcomes: BASIC,
    block: { action: "hold", means: "**it goes on**, the reason is its feedback" },
    failure: { action: "release", means: "**it stops**, marked `gate_unsatisfied`" },
    stop: "stop",
  },
  subagent_start: {
    when: "a subagent is about to start",
    layer: "agent",
    subject: "the delegation",
    guards: true,
    changes: { taskDescription: "string" },
    input: "taskDescription",
    adds: "context",
    outcomes: BASIC,
    block: { action: "refuse", means: "the delegation is refused" },
    failure: AS_BLOCK,
    stop: "stop",
  },
  subagent_stop: {
    when: "a subagent is about to stop",
    layer: "agent",
    subject: "the stop",
    changes: {},
    outcomes: BASIC,
    block: { action: "hold", means: "it goes on, with the reason" },
    failure: { action: "release", means: "it stops, marked" },
    stop: "stop",
  },
  pre_compact: {
    when: "before the context is compacted",
    layer: "agent",
    subject: "the summary",
    changes: {},
    adds: "instructions",
    outcomes: BASIC,
    block: { action: "refuse", means: "no compaction now" },
    failure: { action: "record", means: "compaction goes on, recorded" },
    stop: "stop",
  },
  permission_request: {
    when: "a coding agent asks its person whether a tool may run",
    layer: "agent",
    subject: "the request",
    tool: true,
    guards: true,
    changes: {},
    outcomes: BASIC,
    block: { action: "refuse", means: "the tool does not run, and the person is not asked" },
    failure: AS_BLOCK,
    stop: "stop",
  },
  notification: {
    when: "a coding agent notifies its user",
    layer: "agent",
    subject: "the notification",
    changes: {},
    outcomes: BASIC,
    block: RECORDED,
    failure: RECORDED,
    stop: "record",
  },
  on_error: {
    when: "an error in phase llm, tool or iteration",
    layer: "agent",
    subject: "the error",
    changes: { error: "error" },
    outcomes: [...BASIC, "recover"],
    block: RECORDED,
    failure: { action: "record", means: "the original error wins, the hook's is attached" },
    stop: "stop",
    recover: "the error is suppressed, with or without a result in its place",
  },
  agent_failed: {
    when: "an error that no hook recovered",
    layer: "agent",
    ownTurn: true,
    subject: "the failure",
    changes: {},
    outcomes: BASIC,
    block: RECORDED,
    failure: RECORDED,
    stop: "record",
  },
  on_run_start: {
    when: "a runner comes to claim the run",
    layer: "coordinator",
    subject: "the run",
    changes: { parameters: "object" },
    outcomes: [...BASIC, "ask"],
    block: { action: "refuse", means: "the run fails" },
    failure: { action: "refuse", means: "as the blueprint says" },
    stop: "stop",
    edits: "parameters",
  },
  on_tool_call: {
    when: "a run is about to call a tool",
    layer: "coordinator",
    subject: "the tool call",
    tool: true,
    changes: { toolInput: "object" },
    outcomes: [...BASIC, "ask"],
    block: { action: "refuse", means: "the tool does not run" },
    failure: { action: "refuse", means: "as the blueprint says" },
    stop: "stop",
    edits: "toolInput",
  },
  on_result: {
    when: "a run's result arrives",
    layer: "coordinator",
    subject: "the result",
    changes: { resultText: "string", resultData: "object" },
    outcomes: BASIC,
    block: { action: "refuse", means: "the run fails" },
    failure: { action: "refuse", means: "as the blueprint says" },
    stop: "stop",
  },
  on_run_finish: {
    when: "a run completed, failed or was stopped",
    layer: "coordinator",
    subject: "the end of the run",
    changes: {},
    outcomes: BASIC,
    block: RECORDED,
    failure: { action: "record", means: "logged" },
    stop: "record",
  },
  on_run_error: {
    when: "a run failed",
    layer: "coordinator",
    subject: "the failure",
    changes: {},
    outcomes: BASIC,
    block: RECORDED,
    failure: { action: "record", means: "logged" },
    stop: "record",
  },
  on_timeout: {
    when: "a run outlived its `timeout_seconds`",
    layer: "coordinator",
    subject: "the timeout",
    changes: {},
    outcomes: BASIC,
    block: RECORDED,
    failure: { action: "record", means: "logged" },
    stop: "record",
  },
} as const satisfies Record<string, EventRow>;

/** An event's name, the same everywhere. */
export type EventName = keyof typeof EVENTS;

/** All events, in the order of a run. */
export const EVENT_NAMES = Object.keys(EVENTS) as readonly EventName[];

/** Whether a value is the name of an event. */
export function isEventName(name: unknown): name is EventName {
  return typeof name === "string" && Object.hasOwn(EVENTS, name);
}

/** The row of an event, seen through the general type instead of its literal one. */
export function eventRow(event: EventName): EventRow {
  return EVENTS[event];
}

/** What a host does when a hook at this event gave this outcome. `ask` is resolved before it gets here. */
export function actionFor(event: EventName, outcome: OutcomeType): Action {
  const row = eventRow(event);
  switch (outcome) {
    case "proceed":
      return "go_on";
    case "block":
    case "ask":
      return row.block.action;
    case "stop":
      return row.stop;
    case "skip":
      return "skip";
    case "recover":
      return "recover";
  }
}

/** Where an alias comes from: the builder's names, the config object's, or the HOOK.md authors' later ones. */
export type AliasDialect = "builder" | "config" | "hook-md";

interface Alias {
  readonly dialect: AliasDialect;
  readonly events: readonly EventName[];
}

/** Other spellings of the event names, accepted wherever a person writes one and never printed back. */
export const ALIASES = {
  ExecutionStart: { dialect: "builder", events: ["before_agent"] },
  ExecutionEnd: { dialect: "builder", events: ["after_agent"] },
  BeforeStep: { dialect: "builder", events: ["before_step"] },
  AfterStep: { dialect: "builder", events: ["after_step"] },
  PreToolUse: { dialect: "builder", events: ["before_tool"] },
  PostToolUse: { dialect: "builder", events: ["after_tool", "after_tool_failure"] },
  Stop: { dialect: "builder", events: ["before_stop"] },
  SubagentStop: { dialect: "builder", events: ["subagent_stop"] },
  AgentFailed: { dialect: "builder", events: ["agent_failed"] },

  beforeIteration: { dialect: "config", events: ["before_step"] },
  afterIteration: { dialect: "config", events: ["after_step"] },
  beforeLLM: { dialect: "config", events: ["before_llm"] },
  afterLLM: { dialect: "config", events: ["after_llm"] },
  beforeTool: { dialect: "config", events: ["before_tool"] },
  afterTool: { dialect: "config", events: ["after_tool", "after_tool_failure"] },
  onError: { dialect: "config", events: ["on_error"] },
  "before:llm": { dialect: "config", events: ["before_llm"] },
  "after:llm": { dialect: "config", events: ["after_llm"] },
  "before:tool": { dialect: "config", events: ["before_tool"] },
  "after:tool": { dialect: "config", events: ["after_tool", "after_tool_failure"] },

  "pre-session": { dialect: "hook-md", events: ["session_start"] },
  "post-session": { dialect: "hook-md", events: ["session_end"] },
  "pre-agent-turn": { dialect: "hook-md", events: ["before_agent"] },
  "post-agent-turn": { dialect: "hook-md", events: ["after_agent"] },
  "post-agent-turn-stop": { dialect: "hook-md", events: ["after_agent"] },
  "pre-agent-turn-stop": { dialect: "hook-md", events: ["before_stop"] },
  "pre-tool-call": { dialect: "hook-md", events: ["before_tool"] },
  "post-tool-call": { dialect: "hook-md", events: ["after_tool"] },
  "post-tool-call-failure": { dialect: "hook-md", events: ["after_tool_failure"] },
  "pre-subagent": { dialect: "hook-md", events: ["subagent_start"] },
  "post-subagent": { dialect: "hook-md", events: ["subagent_stop"] },
  "pre-context-compact": { dialect: "hook-md", events: ["pre_compact"] },
} as const satisfies Record<string, Alias>;

/** Another name of one or more events. */
export type EventAlias = keyof typeof ALIASES;

/** The events that a name stands for, at the type level. */
export type ResolvedEvent<N extends EventName | EventAlias> = N extends EventName
  ? N
  : N extends EventAlias
    ? (typeof ALIASES)[N]["events"][number]
    : never;

/** The events that a name or an alias stands for; `undefined` when it stands for none. */
export function resolveEvent(name: string): readonly EventName[] | undefined {
  if (isEventName(name)) return [name];
  if (Object.hasOwn(ALIASES, name)) return ALIASES[name as EventAlias].events;
  return undefined;
}
