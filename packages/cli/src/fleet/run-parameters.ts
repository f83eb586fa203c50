import type { AgentRecord } from "@tenterhook/protocol/runs";
import { jsonObject } from "../json-argument.ts";
import { UsageError } from "../usage-error.ts";

type Parameters = Readonly<Record<string, unknown>>;

/** What an agent accepts, as far as it matters here. */
interface ParametersSchema {
  readonly properties?: Readonly<Record<string, { readonly type?: unknown } | boolean>>;
  readonly required?: readonly string[];
}

/** The parameters that may hold a message, in the order in which agents look for it. */
const MESSAGE_NAMES = ["message", "prompt"];

const KEY_VALUE = /^([A-Za-z_][\w-]*)=(.*)$/s;

/**
 * The parameters that the words of a command line mean: an object as JSON, `@FILE` or `-`; `key=value`; or one plain message, which
 * becomes the parameter that the agent has for it. Later words count more. `findAgent` is asked only when its schema matters.
 */
export async function runParameters(
  words: readonly string[],
  findAgent: () => Promise<AgentRecord>,
): Promise<Parameters> {
  if (words.every(isJson)) return merged(words);
  const { name, parameters_schema } = (await findAgent()).blueprint;
  const schema = (parameters_schema ?? {}) as ParametersSchema;
  let parameters: Parameters = {};
  let message: string | undefined;
  for (const word of words) {
    const [, key, value = ""] = KEY_VALUE.exec(word) ?? [];
    if (isJson(word)) parameters = { ...parameters, ...(await jsonObject(word, "the parameters")) };
    else if (key !== undefined) parameters = { ...parameters, [key]: typed(key, value, schema) };
    else if (message !== undefined) {
      throw new UsageError(
        `"${word}" is a second message.`,
        `Write the message in quotes, as "${message} ${word}", and other parameters as key=value.`,
      );
    } else {
      message = word;
      parameters = { ...parameters, [messageName(name, schema)]: word };
    }
  }
  return parameters;
}

/** Looks like JSON, or names where JSON is. */
function isJson(word: string): boolean {
  return word === "-" || /^\s*[{[]/.test(word) || /^@./.test(word);
}

async function merged(words: readonly string[]): Promise<Parameters> {
  const objects: Parameters[] = [];
  for (const word of words) objects.push(await jsonObject(word, "the parameters"));
  return Object.assign({}, ...objects);
}

/** A value as the schema wants it: text stays text, all else is JSON. Without a schema, what is JSON and not text counts as JSON. */
function typed(key: string, text: string, { properties = {} }: ParametersSchema): unknown {
  const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
  const type = typeof property === "object" ? property.type : undefined;
  if (type === "string" || (Array.isArray(type) && type.includes("string"))) return text;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" && type === undefined ? text : value;
  } catch {
    // The coordinator says what type it should have.
    return text;
  }
}

/** The parameter that a message is for. */
function messageName(agent: string, { properties, required = [] }: ParametersSchema): string {
  const names = Object.keys(properties ?? {});
  const known = MESSAGE_NAMES.find((name) => names.includes(name));
  if (known !== undefined) return known;
  if (names.length === 0) return "message";
  const isText = (name: string) => Object(properties?.[name]).type === "string";
  const candidates = (required.length > 0 ? required : names).filter(isText);
  const [only] = candidates;
  if (only !== undefined && candidates.length === 1) return only;
  throw new UsageError(
    `${agent} takes no message.`,
    `Give its parameters as key=value; they are ${names.join(", ")}.`,
  );
}
