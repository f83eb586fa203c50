import { TenterhookError, type Usage } from "@tenterhook/protocol";
import { ConfigFields } from "../config-fields.ts";
import type { ScriptedAnswer, ScriptedToolCall, ScriptedTurn } from "./script.ts";

const ANSWER = ["text", "reasoning", "toolCalls", "usage", "finishReason", "halfway", "error"];
const CALL = ["name", "input", "id", "invalid", "executed"];
const ERROR = ["message", "name", "statusCode", "isRetryable", "responseHeaders"];

/**
 * Parses a script from JSON: texts, answers, and failures as `{ "error": "message" }` or `{ "error": { "message": …,
 * "statusCode": 429 } }`. Throws `bad_agent` with the number of the invalid turn.
 */
export function parseScript(json: unknown): ScriptedTurn[] {
  if (!Array.isArray(json)) {
    throw new TenterhookError("bad_agent", "a script must be a list of turns.", {
      hint: 'The shortest one is ["an answer"].',
    });
  }
  return json.map((turn, index) => parseTurn(turn, `script turn ${index + 1}`));
}

function parseTurn(turn: unknown, where: string): ScriptedTurn {
  if (typeof turn === "string") return turn;
  const fields = new ConfigFields(where, turn, ANSWER);
  if (fields.has("error")) {
    if (Object.keys(Object(turn)).length > 1) throw fields.bad('has an "error", and more beside it.');
    return { error: parseError(fields.value("error"), `${where}: error`) };
  }
  const calls = fields.optionalList("toolCalls");
  return {
    text: fields.optionalText("text"),
    reasoning: fields.optionalText("reasoning"),
    toolCalls: calls?.map((call, index) => parseCall(call, `${where}: tool call ${index + 1}`)),
    usage: fields.has("usage") ? parseUsage(fields.value("usage"), `${where}: usage`) : undefined,
    finishReason: fields.optionalText("finishReason"),
    halfway: parseHalfway(fields),
  };
}

function parseHalfway(fields: ConfigFields): ScriptedAnswer["halfway"] {
  const halfway = fields.value("halfway");
  if (halfway === undefined || halfway === "cut" || halfway === "stall") return halfway;
  throw fields.bad('has a "halfway" that is neither "cut" nor "stall".');
}

function parseCall(call: unknown, where: string): ScriptedToolCall {
  const fields = new ConfigFields(where, call, CALL);
  return {
    name: fields.text("name"),
    input: fields.has("input") ? fields.value("input") : {},
    id: fields.optionalText("id"),
    invalid: fields.optionalText("invalid"),
    executed: fields.has("executed")
      ? parseExecuted(fields.value("executed"), `${where}: executed`)
      : undefined,
  };
}

function parseExecuted(executed: unknown, where: string): ScriptedToolCall["executed"] {
  const fields = new ConfigFields(where, executed, ["result", "isError"]);
  return { result: fields.value("result"), isError: fields.optionalFlag("isError") };
}

function parseUsage(usage: unknown, where: string): Usage {
  const fields = new ConfigFields(where, usage, ["inputTokens", "outputTokens"]);
  return {
    inputTokens: fields.optionalCount("inputTokens") ?? 0,
    outputTokens: fields.optionalCount("outputTokens") ?? 0,
  };
}

/** An error with the fields of the AI SDK's call errors, of which `isRetryable` controls retries. */
function parseError(error: unknown, where: string): Error {
  if (typeof error === "string") return new Error(error);
  const fields = new ConfigFields(where, error, ERROR);
  const statusCode = fields.optionalCount("statusCode");
  return Object.assign(new Error(fields.text("message")), {
    name: fields.optionalText("name") ?? "Error",
    statusCode,
    isRetryable: fields.optionalFlag("isRetryable") ?? (statusCode === 429 || (statusCode ?? 0) >= 500),
    responseHeaders: fields.optionalTexts("responseHeaders"),
  });
}
