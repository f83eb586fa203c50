import { type EventName, isEventName } from "./events.ts";

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
