import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { isRecord, messageOf, withoutBom } from "@tenterhook/internal";
import { UsageError } from "./usage-error.ts";

/**
 * The object that an argument means: JSON itself, `@file` for a file, `-` for standard input. Throws a `UsageError` that names the argument.
 */
export async function jsonObject(arg: string, what: string): Promise<Record<string, unknown>> {
  const form = `Write it in single quotes, as '{"name": "Ada"}'; @FILE takes it from a file, - from standard input.`;
  return parseObject(await textOf(arg, what), what, form);
}

/** The JSON object in a text. Throws a `UsageError` that names the text; `form`: how to write it. */
export function parseObject(json: string, what: string, form: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(withoutBom(json));
  } catch (error) {
    throw new UsageError(`${what}: invalid JSON: ${messageOf(error)}.`, form);
  }
  if (isRecord(value)) return value;
  throw new UsageError(`${what}: not a JSON object.`, form);
}

/** The text that an argument means: itself, or the content of a file or of standard input. */
export async function textOf(arg: string, what: string): Promise<string> {
  if (arg === "-") return text(process.stdin);
  if (!arg.startsWith("@")) return arg;
  try {
    return readFileSync(arg.slice(1), "utf8");
  } catch (error) {
    throw new UsageError(
      `${what}: ${arg.slice(1)} cannot be read: ${messageOf(error)}.`,
      "Name a file, or - for standard input.",
    );
  }
}
