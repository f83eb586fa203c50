import { nearestWord, withoutBom } from "@tenterhook/internal";
import type { AgentRecord } from "@tenterhook/protocol/runs";
import { jsonObject, textOf } from "../json-argument.ts";
import { notify } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";

type Parameters = Readonly<Record<string, unknown>>;

/** The parts of a parameters schema that matter here. */
interface ParametersSchema {
  readonly properties?: Readonly<Record<string, { readonly type?: unknown } | boolean>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
}

/** The parameters that may contain a message, in order of preference. */
const MESSAGE_NAMES = ["message", "prompt"];

const KEY_VALUE = /^([A-Za-z_][\w-]*)=(.*)$/s;

/** What an argument is: JSON or the name of a file with it, a value of a parameter, or a message. */
type RunArgument =
  | { readonly type: "json"; readonly text: string }
  | { readonly type: "value"; readonly key: string; readonly text: string }
  | { readonly type: "message"; readonly text: string };

/**
 * The parameters of some arguments: an object as JSON or `@FILE`; `key=value`; or one plain message, which becomes the message
 * parameter of the agent; `-` is JSON or a message from standard input. Later arguments override earlier ones, and
 * all of them override `base`. `findAgent` is called only when the schema matters.
 */
export async function runParameters(
  args: readonly string[],
  findAgent: () => Promise<AgentRecord>,
  base: Parameters = {},
): Promise<Parameters> {
  const given: RunArgument[] = [];
  for (const arg of args) given.push(arg === "-" ? await fromStandardInput() : runArgument(arg));
  const isPlain = given.every(({ type }) => type === "json");
  const { name = "", parameters_schema } = isPlain ? {} : (await findAgent()).blueprint;
  const schema = (parameters_schema ?? {}) as ParametersSchema;
  let parameters = base;
  let message: string | undefined;
  for (const argument of given) {
    const { type, text } = argument;
    if (type === "json") parameters = { ...parameters, ...(await jsonObject(text, "the parameters")) };
    else if (type === "value")
      parameters = { ...parameters, [argument.key]: typed(argument.key, text, schema) };
    else if (message !== undefined) {
      throw new UsageError(
        `"${text}" is a second message.`,
        `Quote the message, as "${message} ${text}", and other parameters as key=value.`,
      );
    } else {
      message = text;
      parameters = { ...parameters, [messageName(name, schema)]: text };
    }
  }
  reportMisspelt(name, schema, parameters);
  return parameters;
}

function runArgument(text: string): RunArgument {
  if (/^\s*[{[]/.test(text) || /^@./.test(text)) return { type: "json", text };
  const [, key, value = ""] = KEY_VALUE.exec(text) ?? [];
  return key === undefined ? { type: "message", text } : { type: "value", key, text: value };
}

/** A text that begins as an object does is JSON. Any other is a message, even if it looks like a value or a file. */
async function fromStandardInput(): Promise<RunArgument> {
  const text = withoutBom(await textOf("-", "the parameters")).trimEnd();
  if (text === "") throw new UsageError("standard input is empty.", "Pipe a message or a JSON object to -.");
  return { type: /^\s*\{/.test(text) ? "json" : "message", text };
}

/**
 * A value by the type of the schema: strings stay text, all else is JSON. Without a type, valid JSON other than strings is
 * JSON.
 */
function typed(key: string, text: string, { properties = {} }: ParametersSchema): unknown {
  const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
  const type = typeof property === "object" ? property.type : undefined;
  if (type === "string" || (Array.isArray(type) && type.includes("string"))) return text;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" && type === undefined ? text : value;
  } catch {
    // The coordinator reports the expected type.
    return text;
  }
}

/** The parameter for a message. */
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
    `Use key=value; its parameters are ${names.join(", ")}.`,
  );
}

/**
 * Reports parameters that are not in an agent's schema, but near to one that was not given: with a `UsageError` if the coordinator
 * would refuse them, otherwise with a notice, because an agent may take more than its schema describes.
 */
export function reportMisspelt(agent: string, schema: ParametersSchema, parameters: Parameters): void {
  const { properties = {}, required = [], additionalProperties } = schema;
  const known = Object.keys(properties);
  const free = known.filter((name) => !Object.hasOwn(parameters, name));
  for (const name of Object.keys(parameters).filter((key) => !known.includes(key))) {
    const meant = nearestWord(name, free);
    if (meant === undefined) continue;
    const message = `${agent} has no parameter "${name}"`;
    const hint = `Did you mean ${meant}?`;
    if (additionalProperties === false || required.includes(meant)) {
      throw new UsageError(`${message}.`, `${hint} Its parameters are ${known.join(", ")}.`);
    }
    notify(`${message}. ${hint}`);
  }
}
