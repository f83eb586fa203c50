import { TenterhookError } from "@tenterhook/protocol";
import { builtInTools } from "../tools/built-in/index.ts";
import type { AgentTool, AgentTools } from "../tools/tool.ts";
import { Registry } from "./registry.ts";

/** Tools by name. It starts with the built-in ones, and a registered tool replaces the built-in one of its name. */
export class ToolRegistry extends Registry<AgentTool> {
  readonly #builtIn: AgentTools = builtInTools();
  /** Names of built-in tools that agents use. */
  readonly #used = new Set<string>();

  constructor() {
    super("tool");
  }

  override register(name: string, tool: AgentTool): void {
    if (typeof tool !== "object" || tool === null) {
      throw new TenterhookError("bad_agent", `the tool "${name}" must be an object.`, {
        hint: "Pass { description, inputSchema, execute }, or a tool() of the AI SDK.",
      });
    }
    // A tool that restricts an agent must not be registered too late without an error.
    if (this.#used.has(name)) {
      throw new TenterhookError("bad_agent", `an agent already uses the built-in tool "${name}".`, {
        hint: "Register another tool of that name before the agent's first run.",
      });
    }
    super.register(name, tool);
  }

  override get(name: string): AgentTool | undefined {
    return super.get(name) ?? (Object.hasOwn(this.#builtIn, name) ? this.#builtIn[name] : undefined);
  }

  override get names(): readonly string[] {
    return [...new Set([...super.names, ...Object.keys(this.#builtIn)])];
  }

  /** The tools of these names, all of which must exist. */
  take(names: readonly string[]): AgentTools {
    for (const name of names) if (super.get(name) === undefined) this.#used.add(name);
    return Object.fromEntries(names.map((name) => [name, this.get(name) as AgentTool]));
  }
}
