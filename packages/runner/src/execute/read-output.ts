import { isJsonLimit, isRecord, messageOf, parseJson } from "@tenterhook/internal";
import { compileSchema, type SchemaCheck } from "@tenterhook/internal/validate";
import type { Ending } from "./ending.ts";

/**
 * What the output of a program means. An object is data. Without a schema, text that is none is a text; what begins like
 * an object and is none was meant to be one, and is a failure, as is everything that the schema refuses.
 */
export function readOutput(output: string, schema: Readonly<Record<string, unknown>> | undefined): Ending {
  const text = output.trim();
  const { value, limit } = parsed(text);
  if (limit !== undefined) return badOutput(limit, "json_limit");
  if (isRecord(value)) {
    const problem = schema === undefined ? undefined : violationText(schema, value);
    if (problem === undefined) return { type: "completed", resultText: null, resultData: value };
    return badOutput(`the result does not fit the agent's output_schema: ${problem}`);
  }
  if (schema !== undefined)
    return badOutput("the agent's output_schema wants a JSON object on standard output");
  if (text.startsWith("{")) return badOutput("what it printed begins like a JSON object, and is none");
  if (typeof value === "string") return { type: "completed", resultText: value, resultData: null };
  return { type: "completed", resultText: text === "" || value === null ? null : text, resultData: null };
}

/** A text that is not an object stays a text, however deep its brackets are: it is not read any further. */
function parsed(text: string): { readonly value?: unknown; readonly limit?: string } {
  try {
    return { value: parseJson(text, "what it printed") };
  } catch (error) {
    return text.startsWith("{") && isJsonLimit(error) ? { limit: messageOf(error) } : {};
  }
}

function violationText(schema: Readonly<Record<string, unknown>>, value: unknown): string | undefined {
  let check: SchemaCheck;
  try {
    check = compileSchema(schema);
  } catch (error) {
    return `the schema itself cannot be used: ${messageOf(error)}`;
  }
  return check(value, "result")?.text;
}

function badOutput(error: string, errorCode = "bad_output"): Ending {
  return { type: "failed", error, errorCode };
}
