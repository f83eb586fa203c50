import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { messageOf } from "@tenterhook/protocol";
import { UsageError } from "./usage-error.ts";

/**
 * The object that a word of the command line means: JSON as it is, `@file` for one in a file, `-` for standard input. Throws a
 * `UsageError` that says which word is wrong and how.
 */
export async function jsonObject(word: string, what: string): Promise<Record<string, unknown>> {
  const json = await textOf(word, what);
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new UsageError(
      `${what}: that is no JSON: ${messageOf(error)}.`,
      `Write it in single quotes, as '{"name": "Ada"}'; @FILE takes it from a file, - from standard input.`,
    );
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new UsageError(`${what}: that is no object.`, `The smallest one is '{}'.`);
}

/** The text that a word means: itself, that of a file, or of standard input. */
export async function textOf(word: string, what: string): Promise<string> {
  if (word === "-") return text(process.stdin);
  if (!word.startsWith("@")) return word;
  try {
    return readFileSync(word.slice(1), "utf8");
  } catch (error) {
    throw new UsageError(`${what}: ${messageOf(error)}.`);
  }
}
