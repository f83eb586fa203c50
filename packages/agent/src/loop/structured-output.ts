import { isJsonLimit, messageOf, parseJson } from "@tenterhook/protocol";
import type { Checked, InputSchema } from "../tools/input-schema.ts";

/** Tells a model that may know nothing of JSON modes what its final answer must look like. */
export function outputInstructions(instructions: string, { jsonSchema }: InputSchema): string {
  const wish = `Give your final answer as JSON alone, without any text around it, by this JSON Schema:\n${JSON.stringify(jsonSchema)}`;
  return instructions === "" ? wish : `${instructions}\n\n${wish}`;
}

/** Reads a final answer as the value it stands for. Models like to put JSON into a fence; that much is forgiven. */
export async function readOutput(text: string, schema: InputSchema): Promise<Checked> {
  const fenced = /^\s*```(?:json)?\s*\n([\s\S]*?)\n\s*```\s*$/.exec(text);
  let value: unknown;
  try {
    value = parseJson(fenced?.[1] ?? text, "the answer");
  } catch (error) {
    return { problem: isJsonLimit(error) ? messageOf(error) : "it is no JSON" };
  }
  return schema.check(value);
}
