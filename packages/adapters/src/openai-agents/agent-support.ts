import type { AroundPoint } from "@tenterhook/engine/host";
import type { EventName } from "@tenterhook/protocol";
import type { AdapterSupport, EventSupport } from "../core/index.ts";
import { readAgentName, readVisibleFailure } from "./hooked-tool.ts";
import { type Agent, isFunction, type Tool } from "./sdk.ts";
import { SUPPORT } from "./support.ts";

type Point = EventName | AroundPoint;

const RUN_EVENTS: readonly Point[] = ["before_agent", "after_agent", "agent_failed"];
const MODEL_EVENTS: readonly Point[] = [
  "before_step",
  "after_step",
  "before_llm",
  "after_llm",
  "before_stop",
  "subagent_stop",
  "around_llm",
];
const TOOL_EVENTS: readonly Point[] = ["before_tool", "after_tool", "after_tool_failure", "around_tool"];

/** The support table of a group of agents, which hand over to each other. `hasRunner`: they are run by a runner with hooks. */
export function readAgentSupport(agents: readonly Agent[], hasRunner: boolean): AdapterSupport {
  const events: { [E in EventName]?: EventSupport } = { ...SUPPORT.events };
  const around: { [P in AroundPoint]?: string } = { ...SUPPORT.around };
  for (const [gaps, by] of listGaps(agents, hasRunner))
    for (const event of gaps) {
      if (event === "around_llm" || event === "around_tool") delete around[event];
      // The first reason is the one that is shown.
      else if (events[event]?.level !== "none") events[event] = { level: "none", effects: [], by };
    }
  return { ...SUPPORT, events, around };
}

/** The events that cannot be fired for some of the agents, and why. */
function* listGaps(agents: readonly Agent[], hasRunner: boolean): Generator<[readonly Point[], string]> {
  if (!hasRunner)
    yield [
      RUN_EVENTS,
      "it is an event of the run, so give the hooks to the runner: withHooks(new Runner(), hooks)",
    ];
  for (const { name, model, tools, toolUseBehavior, mcpServers, capabilities = [] } of agents) {
    if (!hasRunner && typeof model === "string")
      yield [
        MODEL_EVENTS,
        `the model of the agent "${name}" is a name, which its runner resolves: give the agent a Model, or the hooks to the runner`,
      ];
    if (toolUseBehavior !== undefined && toolUseBehavior !== "run_llm_again")
      yield [
        ["before_stop", "subagent_stop"],
        `the agent "${name}" may end with the result of a tool (toolUseBehavior)`,
      ];
    const local = [
      ...tools.filter(isLocal).map((tool) => `"${tool.name}"`),
      ...(capabilities.length > 0 ? ["of its sandbox"] : []),
    ].join(", ");
    if (local !== "")
      yield [TOOL_EVENTS, `the tools ${local} of the agent "${name}" have no extension point`];
    const hidden = [
      ...tools.filter(hidesFailures).map((tool) => `"${tool.name}"`),
      ...(mcpServers.length > 0 ? ["of its MCP servers"] : []),
    ].join(", ");
    if (hidden !== "")
      yield [
        ["after_tool_failure"],
        `the tools ${hidden} of the agent "${name}" hide their failures: make them with hookedTool`,
      ];
  }
}

/** Tools that this process executes, and that have no `invoke`. */
function isLocal({ type }: Tool): boolean {
  return type === "shell" || type === "apply_patch" || type === "computer";
}

function hidesFailures(tool: Tool): boolean {
  return isFunction(tool) && readVisibleFailure(tool) === undefined && readAgentName(tool) === undefined;
}

/** What hooks do not see of a tool. */
export function describeUnseen(tool: Tool, agentName: string): string | undefined {
  if (tool.type === "hosted_tool")
    return `The tool "${tool.name}" of the agent "${agentName}" is executed by the provider: hooks do not see its calls.`;
  if (isFunction(tool) && typeof tool.on === "function" && readAgentName(tool) === undefined)
    return `The tool "${tool.name}" of the agent "${agentName}" is an agent without hooks: hooks see its call, not what it does. Make it from withHooks(agent, hooks, { runner: true }).`;
  return undefined;
}
