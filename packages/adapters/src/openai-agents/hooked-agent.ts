import { mayHaveOneOf } from "@tenterhook/engine/host";
import { checkSupport } from "../core/index.ts";
import { describeUnseen, readAgentSupport } from "./agent-support.ts";
import { hookHandoff, isHandoff } from "./handoffs.ts";
import { hookModel } from "./hooked-model.ts";
import { hookTool, installHooks, nameAgentTool } from "./hooked-tool.ts";
import { copyObject, HookedScopes, isHooked, noteHooked } from "./scope.ts";
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
  /** By an agent that was checked, and by each copy. Which hooks a run cannot have depends on the agent that it begins with. */
  readonly #scopes = new WeakMap<Agent, HookedScopes>();

  constructor(hooked: HookedScopes) {
    this.#hooked = hooked;
  }

  /** The copy of an agent. Throws `unsupported_hook` if it cannot enforce a hook. */
  hook(agent: Agent): Agent {
    if (this.isHooked(agent)) return agent;
    const hooked = this.#scopes.get(agent) ?? this.#check(listAgents(agent));
    const copy = this.#copy(agent, hooked);
    this.#scopes.set(agent, hooked).set(copy, hooked);
    return copy;
  }

  /** The scopes of runs that begin with a copy. */
  findScopes(copy: Agent): HookedScopes {
    return this.#scopes.get(copy) ?? this.#hooked;
  }

  isHooked(agent: Agent): boolean {
    return isHooked(agent, this.#hooked.hooks);
  }

  #check(agents: readonly Agent[]): HookedScopes {
    const { hooks, options, warn } = this.#hooked;
    const support = readAgentSupport(agents, options.runner === true);
    const { findRefusal } = checkSupport(hooks, support, options);
    for (const { tools, name } of agents)
      for (const tool of tools) {
        const warning = describeUnseen(tool, name);
        if (warning !== undefined) warn(warning);
      }
    return new HookedScopes(hooks, options, findRefusal);
  }

  #copy(agent: Agent, hooked: HookedScopes): Agent {
    const known = this.isHooked(agent) ? agent : this.#copies.get(agent);
    if (known !== undefined) return known;
    const copy = copyObject(agent);
    this.#copies.set(agent, copy);
    this.#scopes.set(copy, hooked);
    noteHooked(copy, hooked.hooks);
    const { model, name, tools, handoffs } = agent;
    Object.assign(copy, {
      model: typeof model === "string" ? model : hookModel(hooked, model, name),
      tools: tools.map((tool) => (isFunction(tool) ? hookTool(hooked, tool, name) : tool)),
      handoffs: handoffs.map((target) => this.#hookTarget(target, hooked)),
    });
    this.#installMethods(agent, copy, hooked);
    return copy;
  }

  /** Methods of the copy, which are not enumerable: the SDK makes agents of all enumerable properties. */
  #installMethods(agent: Agent, copy: Agent, hooked: HookedScopes): void {
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

  #hookTarget(target: Agent | Handoff, hooked: HookedScopes): Agent | Handoff {
    if (!isHandoff(target)) return this.#copy(target, hooked);
    return target.clone({
      agent: this.#copy(target.agent, hooked),
      onInvokeHandoff: async (context, input) => {
        const next = await target.onInvokeHandoff(context, input);
        // One that was checked with the agents of this run is not checked for a run of its own.
        return this.#copies.get(next) ?? this.hook(next);
      },
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
