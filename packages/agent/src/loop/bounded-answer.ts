import { snapshot } from "@tenterhook/engine/host";
import { checkJson, JSON_DOCUMENT_LIMITS } from "@tenterhook/internal";
import type { ModelAnswer, ModelToolCall } from "../model/model.ts";
import { jsonProblem } from "../tools/json-problem.ts";
import { changedCalls } from "./model-answer.ts";

/**
 * Checks a model's answer against the limits of JSON, and freezes it: a copy, because the model may keep what it returned. A tool call whose input exceeds them becomes an invalid call with a reason;
 * the input itself reaches neither hooks nor the model. Throws `json_limit` when the rest of the answer exceeds them.
 */
export function boundedAnswer(answer: ModelAnswer): ModelAnswer {
  const toolCalls = answer.toolCalls.map(boundedCall);
  const isChanged = toolCalls.some((call, index) => call !== answer.toolCalls[index]);
  const bounded = isChanged ? changedCalls(answer, toolCalls) : answer;
  const { text, usage, finishReason, modelId } = bounded;
  checkJson({ text, message: bounded.message }, "the model's answer", JSON_DOCUMENT_LIMITS);
  // In one copy: parts of the message are recognised by being the parts of the calls.
  const { toolCalls: calls, message } = snapshot({ toolCalls: bounded.toolCalls, message: bounded.message });
  return { text, toolCalls: calls, message, usage, finishReason, modelId };
}

function boundedCall(call: ModelToolCall): ModelToolCall {
  const { id, name, executed } = call;
  const inputProblem = jsonProblem(call.input, `the input of ${name}`);
  const resultProblem =
    executed === undefined ? undefined : jsonProblem(executed.result, `the result of ${name}`);
  if (inputProblem === undefined && resultProblem === undefined) return call;
  if (executed === undefined) return { id, name, input: {}, invalid: inputProblem };
  return {
    id,
    name,
    input: inputProblem === undefined ? call.input : {},
    executed: resultProblem === undefined ? executed : { result: resultProblem, isError: true },
  };
}
