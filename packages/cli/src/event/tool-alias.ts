import type { Client } from "@tenterhook/bridges";
import { loadClients } from "@tenterhook/bridges/clients";
import { clientsWithTool, readAliasedCall } from "@tenterhook/bridges/coverage";
import { isRecord, messageOf } from "@tenterhook/internal";
import { canonicalTools } from "@tenterhook/protocol/internal";
import { UsageError } from "../usage-error.ts";

type Input = Readonly<Record<string, unknown>>;

/** A tool call as hooks get it, for a call that was written with a coding agent's name of the tool. */
export interface TranslatedCall {
  readonly tool: string;
  readonly input: Input;
  /** What the name means, as a sentence without a period. */
  readonly notice: string;
}

/**
 * Translates a call with a coding agent's tool name, as the bridge does. `undefined` for any other name. Throws a `UsageError` for
 * a call that cannot be read, or that is several calls.
 */
export async function translateCall(
  name: string,
  input: Input,
  workDir: string,
): Promise<TranslatedCall | undefined> {
  const tools = canonicalTools(name);
  const [first] = tools;
  if (first === undefined) return undefined;
  const clients = await loadClients();
  // Without an input only the name is asked for.
  const calls =
    Object.keys(input).length === 0
      ? []
      : aliasedCalls(name, () => readAliasedCall(clients, name, input, workDir));
  const [call = { name: first, input }, second] = calls;
  if (second !== undefined) {
    throw new UsageError(
      `this call of ${name} is ${calls.length} calls of ${[...new Set(calls.map((each) => each.name))].join(" and ")}.`,
      `Use one of them, for example --tool ${call.name} --input '${JSON.stringify(call.input)}'`,
    );
  }
  if (call.name === name) return undefined;
  const meaning = calls.length > 0 ? call.name : tools.join(" or ");
  return { tool: call.name, input: call.input, notice: notice(name, meaning, clients) };
}

/**
 * The fields of an event in wire form, with the canonical name of the tool, as a coding agent's call has it. `report` gets a sentence
 * when a name was translated.
 */
export async function withCanonicalTool(
  fields: Input,
  workDir: string,
  report: (notice: string) => void,
): Promise<Input> {
  const { tool_name: name, tool_input: input } = fields;
  if (typeof name !== "string" || (input !== undefined && !isRecord(input))) return fields;
  const call = await translateCall(name, input ?? {}, workDir);
  if (call === undefined) return fields;
  report(call.notice);
  return {
    ...fields,
    tool_name: call.tool,
    ...(input !== undefined && { tool_input: call.input }),
  };
}

/** A pattern of plain names, such as `Bash`, `^Bash$` or `Write|Edit`. */
const PLAIN_NAMES = /^\^?\(?\w+(?:\|\w+)*\)?\$?$/;

/**
 * A pattern for tool names with canonical names in place of those of coding agents, because scripts get the canonical name. One that has
 * the canonical name as well stays as it is, as do patterns that are more than names.
 */
export async function withCanonicalNames(pattern: string, report: (notice: string) => void): Promise<string> {
  if (!PLAIN_NAMES.test(pattern)) return pattern;
  const clients = await loadClients();
  const names: readonly string[] = pattern.match(/\w+/g) ?? [];
  const canonical = (name: string): string => {
    const tools = canonicalTools(name);
    if (tools.length === 0 || tools.some((tool) => names.includes(tool))) return name;
    report(notice(name, tools.join(" or "), clients));
    return tools.join("|");
  };
  return pattern.replaceAll(/\w+/g, canonical);
}

function aliasedCalls<T>(name: string, read: () => readonly T[] | undefined): readonly T[] {
  try {
    return read() ?? [];
  } catch (error) {
    throw new UsageError(
      `the input of ${name}: ${messageOf(error)}.`,
      "Use the tool's name and arguments in hooks.",
    );
  }
}

function notice(name: string, tool: string, clients: readonly Client[]): string {
  const having = clientsWithTool(clients, name).map((client) => client.name);
  return `${name} means ${tool}, the name that hooks get for this tool of ${having.join(", ")}`;
}
