import { isJsonLimit, messageOf, parseJson } from "@tenterhook/protocol";
import type { Checked, InputSchema } from "../tools/input-schema.ts";

/** Instructions for the final answer, for models without a JSON mode. */
export function outputInstructions(instructions: string, { jsonSchema }: InputSchema): string {
  const request = `Give your final answer as JSON alone, without any text around it, by this JSON Schema:\n${JSON.stringify(jsonSchema)}`;
  return instructions === "" ? request : `${instructions}\n\n${request}`;
}

/** Parses a final answer. JSON inside a code fence is accepted, because models often write it. */
export async function readOutput(text: string, schema: InputSchema): Promise<Checked> {
  const fenced = /^\s*```(?:json)?\s*\n([\s\S]*?)\n\s*```\s*$/.exec(text);
  let value: unknown;
  try {
    value = parseJson(fenced?.[1] ?? text, "the answer");
  } catch (error) {
    return { problem: isJsonLimit(error) ? messageOf(error) : "it is not JSON" };
  }
  return schema.check(value);
}
