import type { ClientTool, ServerTool } from "@langchain/core/tools";
import { toJsonSchema } from "@langchain/core/utils/json_schema";
import { snapshot, writableCopy } from "@tenterhook/engine/host";
import { isRecord } from "@tenterhook/internal";
import type { ToolDefinition } from "@tenterhook/protocol";

type Tool = ClientTool | ServerTool;

const definitions = new WeakMap<Tool, ToolDefinition>();
const tools = new WeakMap<ToolDefinition, Tool>();

/** The tools that the model is offered, as hooks see them. */
export function toDefinitions(offered: readonly Tool[]): ToolDefinition[] {
  return Object.freeze(offered.map(toDefinition)) as ToolDefinition[];
}

/**
 * What the model is offered after the hooks. A definition that a hook changed or added is given to the provider as plain data:
 * LangChain does not let a middleware replace a tool, and executes the registered one of that name.
 */
export function fromDefinitions(changed: readonly ToolDefinition[]): Tool[] {
  return changed.map((definition) => tools.get(definition) ?? plainTool(definition));
}

function toDefinition(tool: Tool): ToolDefinition {
  const known = definitions.get(tool);
  if (known !== undefined) return known;
  const { description, schema } = tool as Record<string, unknown>;
  const definition: ToolDefinition = snapshot({
    name: readToolName(tool),
    ...(typeof description === "string" && { description }),
    ...(schema !== undefined && { inputSchema: readSchema(schema) }),
  });
  definitions.set(tool, definition);
  tools.set(definition, tool);
  return definition;
}

/** Tools that the provider executes are plain objects, some of them without a name. */
export function readToolName(tool: Tool): string {
  const { name, type } = tool as Record<string, unknown>;
  return String(name ?? functionName(tool) ?? type ?? "");
}

function functionName(tool: Tool): unknown {
  const { function: described } = tool as { function?: unknown };
  return isRecord(described) ? described.name : undefined;
}

function readSchema(schema: unknown): unknown {
  try {
    return toJsonSchema(schema as never);
  } catch {
    // A schema that JSON Schema cannot express; hooks see that there is one.
    return {};
  }
}

function plainTool({ name, description, inputSchema }: ToolDefinition): ServerTool {
  const parameters = writableCopy(inputSchema) ?? { type: "object", properties: {} };
  return {
    type: "function",
    function: { name, ...(description !== undefined && { description }), parameters },
  };
}
