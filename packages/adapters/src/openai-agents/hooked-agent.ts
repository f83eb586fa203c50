import { mayHaveOneOf } from "@tenterhook/engine/host";
import { checkSupport } from "../core/index.ts";
import { describeUnseen, readAgentSupport } from "./agent-support.ts";
import { hookHandoff, isHandoff } from "./handoffs.ts";
import { hookModel } from "./hooked-model.ts";
import { hookTool, installHooks, nameAgentTool } from "./hooked-tool.ts";
import { copyObject, type HookedScopes, isHooked, noteHooked } from "./scope.ts";
import {
  type Agent,
  type FunctionTool,
  type Handoff,
  isFunction,
  type RunContext,
  type Tool,
} from "./sdk.ts";
import { GATE_EVENTS, GATE_TOOL } from "./stop-gate.ts";

/** Puts a set of hooks into agents: into copies of them, and of all that they hand over to. */
export class HookedAgents {
  readonly #hooked: HookedScopes;
  readonly #copies = new WeakMap<Agent, Agent>();

  constructor(hooked: HookedScopes) {
    this.#hooked = hooked;
  }

  /** The copy of an agent. Throws `unsupported_hook` if it cannot enforce a hook. */
  hook(agent: Agent): Agent {
    if (!this.isHooked(agent) && !this.#copies.has(agent)) this.#check(listAgents(agent));
    return this.#copy(agent);
  }

  isHooked(agent: Agent): boolean {
    return isHooked(agent, this.#hooked.hooks);
  }

  #check(agents: readonly Agent[]): void {
    const { hooks, options, warn } = this.#hooked;
    const support = readAgentSupport(agents, options.runner === true);
    this.#hooked.findRefusal = checkSupport(hooks, support, options).findRefusal;
    for (const { tools, name } of agents)
      for (const tool of tools) {
        const warning = describeUnseen(tool, name);
        if (warning !== undefined) warn(warning);
      }
  }

  #copy(agent: Agent): Agent {
    const known = this.isHooked(agent) ? agent : this.#copies.get(agent);
    if (known !== undefined) return known;
    const hooked = this.#hooked;
    const copy = copyObject(agent);
    this.#copies.set(agent, copy);
    noteHooked(copy, hooked.hooks);
    const { model, name, tools, handoffs } = agent;
    Object.assign(copy, {
      model: typeof model === "string" ? model : hookModel(hooked, model, name),
      tools: tools.map((tool) => (isFunction(tool) ? hookTool(hooked, tool, name) : tool)),
      handoffs: handoffs.map((target) => this.#hookTarget(target)),
    });
    this.#installMethods(agent, copy);
    return copy;
  }

  /** Methods of the copy, which are not enumerable: the SDK makes agents of all enumerable properties. */
  #installMethods(agent: Agent, copy: Agent): void {
    const hooked = this.#hooked;
    const methods = {
      // MCP servers make new tools every time.
      getAllTools: async (context: RunContext, ...more: readonly unknown[]): Promise<readonly Tool[]> => {
        const tools = await agent.getAllTools.call(copy, context, ...more);
        const hookedTools = tools.map((tool) =>
          isFunction(tool) && !copy.tools.includes(tool) ? installHooks(hooked, tool, copy.name) : tool,
        );
        return mayHaveOneOf(hooked.hooks, GATE_EVENTS) ? [...hookedTools, GATE_TOOL] : hookedTools;
      },
      getEnabledHandoffs: async (context: RunContext): Promise<readonly Handoff[]> => {
        const handoffs = await agent.getEnabledHandoffs.call(copy, context);
        return handoffs.map((handoff) => hookHandoff(hooked, handoff, copy));
      },
      asTool: (options: object): FunctionTool => {
        const tool = agent.asTool.call(copy, options);
        nameAgentTool(tool, copy.name);
        // Not a copy: the SDK knows by the object which agent a tool is.
        return installHooks(hooked, tool, copy.name);
      },
      clone: (changes: object): Agent => this.hook(agent.clone.call(copy, changes)),
      emit: (event: string, ...values: readonly unknown[]): boolean => {
        const scope = event === "agent_end" ? hooked.findEntered() : undefined;
        if (scope !== undefined) scope.isFinished = true;
        return agent.emit.call(copy, event, ...values);
      },
    };
    for (const [name, value] of Object.entries(methods))
      Object.defineProperty(copy, name, { value, configurable: true });
  }

  #hookTarget(target: Agent | Handoff): Agent | Handoff {
    if (!isHandoff(target)) return this.#copy(target);
    return target.clone({
      agent: this.#copy(target.agent),
      onInvokeHandoff: async (context, input) => this.hook(await target.onInvokeHandoff(context, input)),
    });
  }
}

/** An agent and all that it may hand over to. */
function listAgents(agent: Agent): readonly Agent[] {
  const found = new Set<Agent>([agent]);
  // A set continues with what is added to it.
  for (const { handoffs } of found)
    for (const target of handoffs) found.add(isHandoff(target) ? target.agent : target);
  return [...found];
}
