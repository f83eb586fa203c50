import type { AgentTool, AgentTools } from "@tenterhook/agent";
import { messageOf } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import { moduleUrl } from "../machine/module-url.ts";

/**
 * Loads tools from modules: what each exports as `tools`, else as its default, is an object of tools by name. Rejects with
 * `bad_runner`, naming the module.
 */
export async function loadTools(modules: readonly string[], baseDir: string): Promise<AgentTools> {
  const tools = new Map<string, AgentTool>();
  for (const module of modules) {
    for (const [name, tool] of Object.entries(await exported(module, baseDir))) {
      if (!isTool(tool)) throw bad(module, `"${name}" is not a tool: it needs inputSchema and execute`);
      if (tools.has(name)) throw bad(module, `there is a tool "${name}" already`);
      tools.set(name, tool);
    }
  }
  return Object.fromEntries(tools);
}

async function exported(module: string, baseDir: string): Promise<object> {
  let loaded: { readonly tools?: unknown; readonly default?: unknown };
  try {
    loaded = await import(moduleUrl(module, baseDir));
  } catch (error) {
    throw bad(module, `it cannot be loaded: ${messageOf(error)}`, error);
  }
  const found = loaded.tools ?? loaded.default;
  if (typeof found === "object" && found !== null) return found;
  throw bad(module, "it exports no tools: neither as `tools` nor as its default");
}

function isTool(value: unknown): value is AgentTool {
  return typeof value === "object" && value !== null && ("execute" in value || "inputSchema" in value);
}

function bad(module: string, problem: string, cause?: unknown): TenterhookError {
  return new TenterhookError("bad_runner", `the module of tools "${module}": ${problem}.`, { cause });
}
