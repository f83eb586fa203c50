import { listSupported, SupportCheck, warnOnce } from "../core/index.ts";
import { AgentGaps, isFunction } from "./agent-gaps.ts";
import { hookFunctionTool, installHooks } from "./hooked-function-tool.ts";
import { hookHandoff } from "./hooked-handoff.ts";
import { HookedModel } from "./hooked-model.ts";
import type { HookedScopes } from "./scope.ts";
import type { Agent, FunctionTool, Handoff, RunContext, Tool } from "./sdk.ts";
import { GATE_TOOL } from "./stop-gate.ts";
import { nameAgentTool } from "./subagent.ts";

/** Which sets of hooks an agent has, so that none is called twice. */
const hookedBy = new WeakMap<object, Set<unknown>>();

/** Puts a set of hooks into agents: into copies of them, and of all that they hand over to. */
export class HookedAgents {
  readonly #hooked: HookedScopes;
  readonly #copies = new WeakMap<Agent, Agent>();
  readonly #hasRunner: boolean;

  constructor(hooked: HookedScopes) {
    this.#hooked = hooked;
    this.#hasRunner = hooked.options.runner === true;
  }

  /** The copy of an agent. Throws `unsupported_hook` if it cannot enforce a hook. */
  hook(agent: Agent): Agent {
    if (this.isHooked(agent)) return agent;
    const known = this.#copies.get(agent);
    if (known !== undefined) return known;
    this.#check(agent);
    return this.#copy(agent);
  }

  isHooked(agent: Agent): boolean {
    return hookedBy.get(agent)?.has(this.#hooked.hooks) === true;
  }

  #check(agent: Agent): void {
    const { hooks, options } = this.#hooked;
    const gaps = new AgentGaps(this.#hasRunner);
    for (const member of listAgents(agent)) gaps.add(member, this.#hasRunner);
    const { support } = gaps;
    this.#hooked.check = new SupportCheck(hooks, support, listSupported(support), options);
    const warn = options.warn ?? warnOnce;
    for (const warning of gaps.warnings) warn(warning);
  }

  #copy(agent: Agent): Agent {
    const known = this.isHooked(agent) ? agent : this.#copies.get(agent);
    if (known !== undefined) return known;
    // Not `clone`: that makes an agent of the base class, without the listeners of this one.
    const copy = Object.create(
      Object.getPrototypeOf(agent),
      Object.getOwnPropertyDescriptors(agent),
    ) as Agent;
    this.#copies.set(agent, copy);
    hookedBy.set(copy, new Set(hookedBy.get(agent)).add(this.#hooked.hooks));
    const { model, name } = agent;
    const hooked = this.#hooked;
    Object.assign(copy, {
      model:
        typeof model === "string" || isHookedModel(model, hooked)
          ? model
          : new HookedModel(hooked, model, name),
      tools: agent.tools.map((tool) => this.#hookTool(tool, name)),
      handoffs: agent.handoffs.map((target) => this.#hookTarget(target)),
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
        return hooked.hasHooks(["before_stop", "subagent_stop"]) ? [...hookedTools, GATE_TOOL] : hookedTools;
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
    };
    for (const [name, value] of Object.entries(methods))
      Object.defineProperty(copy, name, { value, configurable: true });
  }

  #hookTool(tool: Tool, agentName: string): Tool {
    return isFunction(tool) ? hookFunctionTool(this.#hooked, tool, agentName) : tool;
  }

  #hookTarget(target: Agent | Handoff): Agent | Handoff {
    if (!isHandoff(target)) return this.#copy(target);
    return target.clone({
      agent: this.#copy(target.agent),
      onInvokeHandoff: async (context, input) => this.hook(await target.onInvokeHandoff(context, input)),
    });
  }
}

function isHookedModel(model: unknown, { hooks }: HookedScopes): boolean {
  return model instanceof HookedModel && model.hooked.hooks === hooks;
}

export function isHandoff(target: Agent | Handoff): target is Handoff {
  return "onInvokeHandoff" in target;
}

/** An agent and all that it may hand over to. */
function listAgents(agent: Agent): readonly Agent[] {
  const found = new Set<Agent>([agent]);
  // A set continues with what is added to it.
  for (const { handoffs } of found)
    for (const target of handoffs) found.add(isHandoff(target) ? target.agent : target);
  return [...found];
}
