import { checkJson, isCyclic, isInstanceOf, messageOf } from "@tenterhook/internal";
import { ToolFailure } from "@tenterhook/protocol";

/** A tool's result as the model reads it, in the AI SDK's format. */
export type ToolOutput =
  | { readonly type: "text" | "error-text"; readonly value: string }
  | { readonly type: "json" | "error-json"; readonly value: unknown }
  | { readonly type: "execution-denied"; readonly reason: string };

export function resultOutput(result: unknown): ToolOutput {
  if (typeof result === "string") return { type: "text", value: result };
  return { type: "json", value: asJson(result) };
}

export function errorOutput(error: unknown): ToolOutput {
  if (ToolFailure.isInstance(error)) return errorOutput(error.shown);
  if (typeof error === "string") return { type: "error-text", value: error };
  if (isInstanceOf(error, Error)) return { type: "error-text", value: messageOf(error) };
  return { type: "error-json", value: asJson(error) };
}

export function deniedOutput(reason: string): ToolOutput {
  return { type: "execution-denied", reason };
}

export function toolResultPart(toolCallId: string, toolName: string, output: unknown) {
  return { type: "tool-result", toolCallId, toolName, output };
}

/** Values that JSON cannot represent (undefined, big integers, cycles) must not fail a call that succeeded. */
function asJson(value: unknown): unknown {
  try {
    checkJson(value, "the value");
    const text = JSON.stringify(value, (_key, each: unknown) =>
      typeof each === "bigint" ? String(each) : each,
    );
    return text === undefined ? null : JSON.parse(text);
  } catch (error) {
    // Not `String`, which is recursive for arrays.
    return isCyclic(error) ? Object.prototype.toString.call(value) : messageOf(error);
  }
}
