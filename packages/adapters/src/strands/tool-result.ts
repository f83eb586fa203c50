import type * as sdk from "@strands-agents/sdk";
import { isInstanceOf, isRecord } from "@tenterhook/internal";
import { contextText } from "../core/index.ts";

type Sdk = typeof sdk;

/** A result as hooks see it: a text, a JSON value, or the data of the blocks if there are several. */
export function readResult({ content }: sdk.ToolResultBlock): unknown {
  const [first, ...rest] = content;
  if (first === undefined) return "";
  if (rest.length > 0) return content.map((block) => block.toJSON());
  if (first.type === "textBlock") return first.text;
  if (first.type !== "jsonBlock") return first.toJSON();
  // Strands puts lists into an object, because providers take only objects.
  const { json } = first;
  return isRecord(json) && Object.keys(json).length === 1 && Array.isArray(json.$value) ? json.$value : json;
}

/** The error of a failed result. */
export function readFailure(result: sdk.ToolResultBlock): Error {
  const value = readResult(result);
  return result.error ?? new Error(typeof value === "string" ? value : JSON.stringify(value));
}

/** A result of Strands for what hooks returned. */
export function writeResult(
  { ToolResultBlock, TextBlock, JsonBlock, toolResultContentFromData }: Sdk,
  toolUseId: string,
  status: "success" | "error",
  value: unknown,
  context: readonly string[] = [],
): sdk.ToolResultBlock {
  const content = writeContent();
  if (context.length > 0) content.push(new TextBlock(contextText(context)));
  return new ToolResultBlock({ toolUseId, status, content });

  function writeContent(): sdk.ToolResultContent[] {
    if (typeof value === "string") return [new TextBlock(value)];
    if (isInstanceOf(value, Error)) return [new TextBlock(value.message)];
    if (value === null || typeof value !== "object") return [new TextBlock(String(value ?? null))];
    const blocks = Array.isArray(value) ? value : [value];
    try {
      if (blocks.length > 0 && blocks.every((block) => isRecord(block) && Object.keys(block).length === 1))
        return blocks.map(toolResultContentFromData);
    } catch {
      // Not the data of blocks.
    }
    const json = JSON.parse(JSON.stringify(value)) as sdk.JSONValue;
    return [new JsonBlock({ json: Array.isArray(json) ? { $value: json } : json })];
  }
}

/** The same result with context that hooks added. */
export function withContext(
  { ToolResultBlock, TextBlock }: Sdk,
  result: sdk.ToolResultBlock,
  context: readonly string[],
): sdk.ToolResultBlock {
  if (context.length === 0) return result;
  const { toolUseId, status, content, error } = result;
  return new ToolResultBlock({
    toolUseId,
    status,
    content: [...content, new TextBlock(contextText(context))],
    ...(error !== undefined && { error }),
  });
}
