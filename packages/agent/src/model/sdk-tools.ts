import type { ToolDefinition } from "@tenterhook/protocol";
import type { Tool, ToolSet } from "ai";

type AiSdk = typeof import("ai");
type JsonSchema = Parameters<AiSdk["jsonSchema"]>[0];

/** What a tool without input takes; providers want an object schema even then. */
const NO_INPUT = { type: "object", properties: {}, additionalProperties: false } as const;

/** An agent gives the same definitions at every step, so that each is made into a tool once. */
const made = new WeakMap<ToolDefinition, Tool>();

/** Definitions as the AI SDK's tools, without `execute`: the SDK passes them on and runs none of them. */
export function sdkTools(sdk: AiSdk, definitions: readonly ToolDefinition[]): ToolSet | undefined {
  if (definitions.length === 0) return undefined;
  // Without a prototype: the SDK looks tools up by the name that the model wrote, and `toString` is no tool.
  const tools: ToolSet = Object.create(null);
  for (const definition of definitions) {
    let tool = made.get(definition);
    if (tool === undefined) {
      tool = sdkTool(sdk, definition);
      made.set(definition, tool);
    }
    tools[definition.name] = tool;
  }
  return tools;
}

function sdkTool({ jsonSchema }: AiSdk, definition: ToolDefinition): Tool {
  // A bare JSON Schema makes the SDK check nothing but that the input is JSON; the rest the agent looks at itself.
  const inputSchema = jsonSchema((definition.inputSchema ?? NO_INPUT) as JsonSchema);
  // Definitions are open objects. A provider's own tool goes through whole, whatever else that provider wants in it.
  if (definition.type === "provider") {
    const { execute: _neverRunByTheSdk, ...providerTool } = definition;
    return { ...providerTool, inputSchema } as Tool;
  }
  const { description, strict, inputExamples, providerOptions } = definition;
  return { description, strict, inputExamples, providerOptions, inputSchema } as Tool;
}
