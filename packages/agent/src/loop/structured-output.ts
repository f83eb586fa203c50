import { isJsonLimit, messageOf, parseJson } from "@tenterhook/internal";
import { type Checked, type InputSchema, readSchema } from "../tools/input-schema.ts";

/** The schema of the final answer. Strings are not asked for as JSON: the answer is the text, and `check` is given the text. */
export interface AnswerSchema extends InputSchema {
  readonly isText: boolean;
}

/** Reads the schema of a final answer; `undefined` if any text is one. */
export async function readAnswerSchema(as: unknown): Promise<AnswerSchema | undefined> {
  if (as === undefined || as === String) return undefined;
  const schema = await readSchema(as, "the output");
  return { ...schema, isText: "type" in schema.jsonSchema && schema.jsonSchema.type === "string" };
}

/** Instructions for the final answer, for models without a JSON mode, and for text that the schema restricts. */
export function outputInstructions(instructions: string, { jsonSchema, isText }: AnswerSchema): string {
  const isAnyText = isText && Object.keys(jsonSchema).every((key) => key === "type" || key === "$schema");
  if (isAnyText) return instructions;
  const form = describeForm(isText);
  const request = `Give your final answer as ${form}, without any text around it, by this JSON Schema:\n${JSON.stringify(jsonSchema)}`;
  return instructions === "" ? request : `${instructions}\n\n${request}`;
}

/** The message for the model about a final answer that is refused. */
export function outputFeedback(problem: string, { isText }: AnswerSchema): string {
  return `Your final answer does not fit: ${problem}. Give it again as ${describeForm(isText)}.`;
}

function describeForm(isText: boolean): string {
  return isText ? "plain text, without quotes" : "JSON alone";
}

/** Reads a final answer. Text that its schema refuses may still be that of a JSON string. */
export async function readOutput(text: string, schema: AnswerSchema): Promise<Checked> {
  if (!schema.isText) return readJson(text, schema);
  const read = await schema.check(text);
  if ("value" in read) return read;
  const unquoted = await readJson(text, schema);
  return "value" in unquoted ? unquoted : read;
}

/** JSON inside a code fence is accepted, because models often write it. */
async function readJson(text: string, schema: AnswerSchema): Promise<Checked> {
  const fenced = /^\s*```(?:json)?\s*\n([\s\S]*?)\n\s*```\s*$/.exec(text);
  let value: unknown;
  try {
    value = parseJson(fenced?.[1] ?? text, "the answer");
  } catch (error) {
    return { problem: isJsonLimit(error) ? messageOf(error) : "it is not JSON" };
  }
  return schema.check(value);
}
