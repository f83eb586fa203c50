import { checkJson, isJsonLimit, JSON_DOCUMENT_LIMITS, messageOf } from "@tenterhook/protocol";
import type { ModelAnswer, ModelToolCall } from "../model/model.ts";
import { changedCalls } from "./model-answer.ts";

/**
 * An answer of a model within the limits of JSON: this is where its output enters. A tool call whose input is beyond them
 * becomes one that cannot be carried out and says why; the input itself goes no further, neither to hooks nor back to the
 * model. Throws `json_limit` when the rest of the answer is beyond them.
 */
export function boundedAnswer(answer: ModelAnswer): ModelAnswer {
  const toolCalls = answer.toolCalls.map(boundedCall);
  const isChanged = toolCalls.some((call, index) => call !== answer.toolCalls[index]);
  const bounded = isChanged ? changedCalls(answer, toolCalls) : answer;
  checkJson({ text: bounded.text, message: bounded.message }, "the model's answer", JSON_DOCUMENT_LIMITS);
  return bounded;
}

function boundedCall(call: ModelToolCall): ModelToolCall {
  const { id, name, executed } = call;
  const inputProblem = jsonExcess(call.input, `the input of ${name}`);
  const resultProblem =
    executed === undefined ? undefined : jsonExcess(executed.result, `the result of ${name}`);
  if (inputProblem === undefined && resultProblem === undefined) return call;
  if (executed === undefined) return { id, name, input: {}, invalid: inputProblem };
  return {
    id,
    name,
    input: inputProblem === undefined ? call.input : {},
    executed: resultProblem === undefined ? executed : { result: resultProblem, isError: true },
  };
}

/** In which way a value is beyond the limits of JSON; `undefined` when it is not. */
export function jsonExcess(value: unknown, what: string): string | undefined {
  try {
    checkJson(value, what);
    return undefined;
  } catch (error) {
    if (isJsonLimit(error)) return messageOf(error);
    throw error;
  }
}
