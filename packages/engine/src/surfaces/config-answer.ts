import { type EventName, TenterhookError } from "@tenterhook/protocol";
import { isRecord } from "@tenterhook/protocol/support";
import { shown } from "../run/answer.ts";
import type { HookType } from "./config-contexts.ts";
import { isResult } from "./config-results.ts";

const OPTIONAL = "each optional, or nothing";

/** What a hook of each type may return, as a remedy in an error. */
const MAY_RETURN: { readonly [T in HookType]: string } = {
  beforeIteration: "Return { skip: true }, or nothing.",
  afterIteration: "Return nothing.",
  beforeLLM: `Return { messages, tools, systemPrompt }, ${OPTIONAL}.`,
  afterLLM: "Return nothing.",
  beforeTool: `Return { skip, result, input }, ${OPTIONAL}.`,
  afterTool: "Return { result }, or nothing.",
  onError: `Return { handled, error, recovery }, ${OPTIONAL}.`,
};

/** The field that holds a tool's result. */
const RESULT_FIELD: { readonly [T in HookType]?: string } = {
  beforeTool: "result",
  afterTool: "result",
  onError: "recovery",
};

/** Throws `bad_outcome`, which names the hook and what it may return, for an answer that this type does not have. */
export function checkAnswer(
  type: HookType,
  answer: unknown,
  where: { readonly hook: string; readonly event: EventName },
): void {
  // Of these two nothing is read, so a function that happens to return something does no harm.
  const isRead = type !== "afterLLM" && type !== "afterIteration";
  if (answer === null || (isRead && !isRecord(answer))) {
    throw new TenterhookError("bad_outcome", `it returned ${shown(answer)}, which is no answer to ${type}.`, {
      ...where,
      hint: MAY_RETURN[type],
    });
  }
  const field = RESULT_FIELD[type];
  if (field === undefined) return;
  const result: unknown = (answer as Record<string, unknown>)[field];
  if (result === undefined || isResult(result)) return;
  throw new TenterhookError("bad_outcome", `its ${field} is ${shown(result)}, which is no tool result.`, {
    ...where,
    hint: `Give ${field} as { success: true, result } or { success: false, error }.`,
  });
}
