import { isRecord } from "@tenterhook/internal";
import { TenterhookError, type ToolUse } from "@tenterhook/protocol";
import type { ModelAnswer } from "./model-form.ts";

/**
 * Reads an answer that did not come from the model: the result of a hook that skipped or recovered, or of a wrapper. It may be a
 * text, or an object with `text` and `toolUses`.
 */
export function readHookAnswer(value: unknown, source: string): ModelAnswer {
  if (value === undefined || value === null) return { text: "", toolUses: [] };
  if (typeof value === "string") return { text: value, toolUses: [] };
  if (isRecord(value)) {
    const { text = "", toolUses, toolCalls } = value;
    const calls = toolUses ?? toolCalls ?? [];
    if (typeof text === "string" && Array.isArray(calls)) return { text, toolUses: calls as ToolUse[] };
  }
  const problem = `${source} gave an answer that is neither text nor { text, toolUses }.`;
  throw new TenterhookError("bad_outcome", problem);
}
