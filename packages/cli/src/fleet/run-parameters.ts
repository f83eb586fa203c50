import type { AgentRecord } from "@tenterhook/protocol/runs";
import { jsonObject } from "../json-argument.ts";
import { UsageError } from "../usage-error.ts";

type Parameters = Readonly<Record<string, unknown>>;

/** The parts of a parameters schema that matter here. */
interface ParametersSchema {
  readonly properties?: Readonly<Record<string, { readonly type?: unknown } | boolean>>;
  readonly required?: readonly string[];
}

/** The parameters that may contain a message, in order of preference. */
const MESSAGE_NAMES = ["message", "prompt"];

const KEY_VALUE = /^([A-Za-z_][\w-]*)=(.*)$/s;

/**
 * The parameters of some arguments: an object as JSON, `@FILE` or `-`; `key=value`; or one plain message, which becomes the
 * message parameter of the agent. Later arguments override earlier ones. `findAgent` is called only when the schema matters.
 */
export async function runParameters(
  args: readonly string[],
  findAgent: () => Promise<AgentRecord>,
): Promise<Parameters> {
  if (args.every(isJson)) return merged(args);
  const { name, parameters_schema } = (await findAgent()).blueprint;
  const schema = (parameters_schema ?? {}) as ParametersSchema;
  let parameters: Parameters = {};
  let message: string | undefined;
  for (const arg of args) {
    const [, key, value = ""] = KEY_VALUE.exec(arg) ?? [];
    if (isJson(arg)) parameters = { ...parameters, ...(await jsonObject(arg, "the parameters")) };
    else if (key !== undefined) parameters = { ...parameters, [key]: typed(key, value, schema) };
    else if (message !== undefined) {
      throw new UsageError(
        `"${arg}" is a second message.`,
        `Quote the message, as "${message} ${arg}", and other parameters as key=value.`,
      );
    } else {
      message = arg;
      parameters = { ...parameters, [messageName(name, schema)]: arg };
    }
  }
  return parameters;
}

/** Whether an argument looks like JSON, or refers to JSON. */
function isJson(arg: string): boolean {
  return arg === "-" || /^\s*[{[]/.test(arg) || /^@./.test(arg);
}

async function merged(args: readonly string[]): Promise<Parameters> {
  const objects: Parameters[] = [];
  for (const arg of args) objects.push(await jsonObject(arg, "the parameters"));
  return Object.assign({}, ...objects);
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
