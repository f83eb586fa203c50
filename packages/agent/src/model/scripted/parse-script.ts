import type { Usage } from "@tenterhook/protocol";
import {
  ANYTHING,
  badConfig,
  COUNT,
  type FieldKind,
  FLAG,
  LIST,
  readFields,
  requireText,
  TEXT,
  TEXTS_BY_NAME,
} from "../../read-fields.ts";
import type { ScriptedAnswer, ScriptedToolCall, ScriptedTurn } from "./script.ts";

const HALFWAY: FieldKind<ScriptedAnswer["halfway"]> = {
  accepts: (value) => value === "cut" || value === "stall",
  what: '"cut" or "stall"',
};

const ANSWER = {
  text: TEXT,
  reasoning: TEXT,
  toolCalls: LIST,
  usage: ANYTHING,
  finishReason: TEXT,
  halfway: HALFWAY,
  error: ANYTHING,
};
const CALL = { name: TEXT, input: ANYTHING, id: TEXT, invalid: TEXT, executed: ANYTHING };
const EXECUTED = { result: ANYTHING, isError: FLAG };
const USAGE = { inputTokens: COUNT, outputTokens: COUNT };
const ERROR = {
  message: TEXT,
  name: TEXT,
  statusCode: COUNT,
  isRetryable: FLAG,
  responseHeaders: TEXTS_BY_NAME,
};

/**
 * Parses a script from JSON: texts, answers, and failures as `{ "error": "message" }` or `{ "error": { "message": …,
 * "statusCode": 429 } }`. Throws `bad_agent` with the number of the invalid turn.
 */
export function parseScript(json: unknown): ScriptedTurn[] {
  if (!Array.isArray(json)) {
    throw badConfig("a script must be a list of turns.", 'The shortest one is ["an answer"].');
  }
  return json.map((turn, index) => parseTurn(turn, `script turn ${index + 1}`));
}

function parseTurn(turn: unknown, where: string): ScriptedTurn {
  if (typeof turn === "string") return turn;
  const { error, toolCalls, usage, ...answer } = readFields(where, turn, ANSWER);
  if (error !== undefined) {
    if (Object.keys(Object(turn)).length > 1) throw badConfig(`${where} has an "error", and more beside it.`);
    return { error: parseError(error, `${where}: error`) };
  }
  return {
    ...answer,
    toolCalls: toolCalls?.map((call, index) => parseCall(call, `${where}: tool call ${index + 1}`)),
    usage: usage === undefined ? undefined : parseUsage(usage, `${where}: usage`),
  };
}

function parseCall(json: unknown, where: string): ScriptedToolCall {
  const { name, input = {}, executed, ...call } = readFields(where, json, CALL);
  return {
    ...call,
    name: requireText(where, "name", name),
    input,
    executed: executed === undefined ? undefined : parseExecuted(executed, `${where}: executed`),
  };
}

function parseExecuted(json: unknown, where: string): ScriptedToolCall["executed"] {
  const { result, isError } = readFields(where, json, EXECUTED);
  return { result, isError };
}

function parseUsage(usage: unknown, where: string): Usage {
  const { inputTokens = 0, outputTokens = 0 } = readFields(where, usage, USAGE);
  return { inputTokens, outputTokens };
}

/** An error with the fields of the AI SDK's call errors, of which `isRetryable` controls retries. */
function parseError(error: unknown, where: string): Error {
  if (typeof error === "string") return new Error(error);
  const {
    message,
    name = "Error",
    statusCode,
    isRetryable,
    responseHeaders,
  } = readFields(where, error, ERROR);
  return Object.assign(new Error(requireText(where, "message", message)), {
    name,
    statusCode,
    isRetryable: isRetryable ?? (statusCode === 429 || (statusCode ?? 0) >= 500),
    responseHeaders,
  });
}
