import type { AroundPoint } from "@tenterhook/engine/host";
import type { EventName } from "@tenterhook/protocol";
import type { AdapterSupport, EventSupport } from "../core/index.ts";
import { readFailure } from "./hooked-tool.ts";
import type { Agent, FunctionTool, Tool } from "./sdk.ts";
import { readAgentName } from "./subagent.ts";
import { SUPPORT } from "./support.ts";

const RUN_EVENTS = ["before_agent", "after_agent", "agent_failed"] as const;
const MODEL_EVENTS = [
  "before_step",
  "after_step",
  "before_llm",
  "after_llm",
  "before_stop",
  "subagent_stop",
] as const;
const TOOL_EVENTS = ["before_tool", "after_tool", "after_tool_failure"] as const;

/** What cannot be enforced in a group of agents, which hand over to each other. */
export class AgentGaps {
  readonly #reasons = new Map<EventName | AroundPoint, string>();
  /** What hooks do not see, for a warning. */
  readonly warnings: string[] = [];

  /** `hasRunner`: the agent is run by a runner with hooks. */
  constructor(hasRunner: boolean) {
    if (!hasRunner)
      this.#add(
        RUN_EVENTS,
        "it is an event of the run, so give the hooks to the runner: withHooks(new Runner(), hooks)",
      );
  }

  add(agent: Agent, hasRunner: boolean): void {
    const { name, model, tools, toolUseBehavior, capabilities = [] } = agent;
    if (!hasRunner && typeof model === "string") {
      const why = `the model of the agent "${name}" is a name, which its runner resolves: give the agent a Model, or the hooks to the runner`;
      this.#add([...MODEL_EVENTS, "around_llm"], why);
    }
    if (toolUseBehavior !== undefined && toolUseBehavior !== "run_llm_again") {
      const why = `the agent "${name}" may end with the result of a tool (toolUseBehavior)`;
      this.#add(["before_stop", "subagent_stop"], why);
    }
    const local = [
      ...tools.filter(isLocal).map((tool) => `"${tool.name}"`),
      ...(capabilities.length > 0 ? ["of its sandbox"] : []),
    ];
    if (local.length > 0)
      this.#add(
        [...TOOL_EVENTS, "around_tool"],
        `the tools ${local.join(", ")} of the agent "${name}" have no extension point`,
      );
    const hidden = tools
      .filter(isFunction)
      .filter((tool) => readFailure(tool) === undefined && readAgentName(tool) === undefined);
    const names = [
      ...hidden.map((tool) => `"${tool.name}"`),
      ...(agent.mcpServers.length > 0 ? ["of its MCP servers"] : []),
    ];
    if (names.length > 0)
      this.#add(
        ["after_tool_failure"],
        `the tools ${names.join(", ")} of the agent "${name}" hide their failures: make them with hookedTool`,
      );
    for (const tool of tools) this.#warnAbout(tool, name);
  }

  /** The support table of these agents. */
  get support(): AdapterSupport {
    const events: { [E in EventName]?: EventSupport } = { ...SUPPORT.events };
    const around: { [P in AroundPoint]?: string } = { ...SUPPORT.around };
    for (const [event, by] of this.#reasons) {
      if (event === "around_llm" || event === "around_tool") delete around[event];
      else events[event] = { level: "none", effects: [], by };
    }
    return { ...SUPPORT, events, around };
  }

  #add(events: readonly (EventName | AroundPoint)[], reason: string): void {
    for (const event of events) if (!this.#reasons.has(event)) this.#reasons.set(event, reason);
  }

  #warnAbout(tool: Tool, agentName: string): void {
    if (tool.type === "hosted_tool")
      this.warnings.push(
        `The tool "${tool.name}" of the agent "${agentName}" is executed by the provider: hooks do not see its calls.`,
      );
    if (isFunction(tool) && typeof tool.on === "function" && readAgentName(tool) === undefined)
      this.warnings.push(
        `The tool "${tool.name}" of the agent "${agentName}" is an agent without hooks: hooks see its call, not what it does. Make it from withHooks(agent, hooks, { runner: true }).`,
      );
  }
}

export function isFunction(tool: Tool): tool is FunctionTool {
  return tool.type === "function";
}

/** Tools that this process executes, and that have no `invoke`. */
function isLocal({ type }: Tool): boolean {
  return type === "shell" || type === "apply_patch" || type === "computer";
}
