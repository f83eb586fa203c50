import { TenterhookError } from "@tenterhook/protocol";
import { builtInTools } from "../tools/built-in/index.ts";
import type { AgentTool, AgentTools } from "../tools/tool.ts";
import { Registry } from "./registry.ts";

/** Tools by name. The built-in ones are there from the start, and one that is registered takes the place of its namesake. */
export class ToolRegistry {
  readonly #registered = new Registry<AgentTool>("tool");
  readonly #builtIn: AgentTools = builtInTools();
  /** Built-in tools that agents have. */
  readonly #taken = new Set<string>();

  register(name: string, tool: AgentTool): void {
    if (typeof tool !== "object" || tool === null) {
      throw new TenterhookError("bad_agent", `the tool "${name}" must be an object.`, {
        hint: "Give { description, inputSchema, execute }, or what the AI SDK's tool() makes.",
      });
    }
    // A tool that is registered to hold an agent back must not come too late unnoticed.
    if (this.#taken.has(name)) {
      throw new TenterhookError("bad_agent", `an agent runs with the built-in tool "${name}" already.`, {
        hint: "Register another tool of that name before the agent's first run.",
      });
    }
    this.#registered.register(name, tool);
  }

  has(name: string): boolean {
    return this.#registered.get(name) !== undefined || Object.hasOwn(this.#builtIn, name);
  }

  /** The tools of these names, which must be there. */
  take(names: readonly string[]): AgentTools {
    const taken = names.map((name) => [name, this.#registered.get(name) ?? this.#takeBuiltIn(name)]);
    return Object.fromEntries(taken);
  }

  get names(): readonly string[] {
    return [...new Set([...this.#registered.names, ...Object.keys(this.#builtIn)])];
  }

  #takeBuiltIn(name: string): AgentTool | undefined {
    this.#taken.add(name);
    return this.#builtIn[name];
  }
}
