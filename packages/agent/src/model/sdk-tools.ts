import type { ToolDefinition } from "@tenterhook/protocol";
import type { Tool, ToolSet } from "ai";

type AiSdk = typeof import("ai");
type JsonSchema = Parameters<AiSdk["jsonSchema"]>[0];

/** The schema of a tool without input; providers require an object schema. */
const NO_INPUT = { type: "object", properties: {}, additionalProperties: false } as const;

/** An agent passes the same definitions in every step, so each is converted once. */
const toolsByDefinition = new WeakMap<ToolDefinition, Tool>();

/** Definitions as tools of the AI SDK, without `execute`: the SDK sends them and runs none of them. */
export function sdkTools(sdk: AiSdk, definitions: readonly ToolDefinition[]): ToolSet | undefined {
  if (definitions.length === 0) return undefined;
  // Without a prototype: the SDK looks tools up by the model's name for them, and `toString` is not a tool.
  const tools: ToolSet = Object.create(null);
  for (const definition of definitions) {
    let tool = toolsByDefinition.get(definition);
    if (tool === undefined) {
      tool = sdkTool(sdk, definition);
      toolsByDefinition.set(definition, tool);
    }
    tools[definition.name] = tool;
  }
  return tools;
}

function sdkTool({ jsonSchema }: AiSdk, definition: ToolDefinition): Tool {
  // With a bare JSON Schema the SDK only checks that the input is JSON; the agent validates the rest.
  const inputSchema = jsonSchema((definition.inputSchema ?? NO_INPUT) as JsonSchema);
  // Definitions are open objects. A provider's own tool is passed complete, with all fields that the provider needs.
  if (definition.type === "provider") {
    const { execute: _neverRunByTheSdk, ...providerTool } = definition;
    return { ...providerTool, inputSchema } as Tool;
  }
  const { description, strict, inputExamples, providerOptions } = definition;
  return { description, strict, inputExamples, providerOptions, inputSchema } as Tool;
}
