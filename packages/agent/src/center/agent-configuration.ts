import { messageOf, TenterhookError } from "@tenterhook/protocol";
import { isRecord } from "@tenterhook/protocol/support";
import { noSuchField, Problems } from "./problems.ts";

/** An agent as data. Everything that it uses stands here by name, and is looked up when it runs. */
export interface AgentConfiguration {
  readonly id: string;
  readonly name: string;
  /** For agents that delegate to it: what it is good for. */
  readonly description: string;
  readonly modelName: string;
  /** The system prompt. */
  readonly instructions: string;
  readonly toolNames: readonly string[];
  readonly mcpServerNames: readonly string[];
  readonly preHookNames: readonly string[];
  readonly postHookNames: readonly string[];
  /** Beside the nine: hooks that see every event of a run. */
  readonly streamHookNames?: readonly string[];
  /** Beside the nine: ids of agents that it may delegate to, each a tool of that agent's name. */
  readonly subagents?: readonly string[];
}

const TEXTS = ["id", "name", "description", "modelName", "instructions"] as const;
const LISTS = ["toolNames", "mcpServerNames", "preHookNames", "postHookNames"] as const;
const MORE_LISTS = ["streamHookNames", "subagents"] as const;
const FIELDS: readonly string[] = [...TEXTS, ...LISTS, ...MORE_LISTS];

/** May be empty; the others are looked up or shown, where nothing cannot be meant. */
const MAY_BE_EMPTY: readonly string[] = ["description", "instructions"];

/** An agent as people write it: lists may be left out. */
export type AgentConfigurationInput = Pick<AgentConfiguration, (typeof TEXTS)[number]> & {
  readonly [List in (typeof LISTS)[number] | (typeof MORE_LISTS)[number]]?: readonly string[] | undefined;
};

/**
 * Reads an agent out of JSON, as text or parsed. Throws `bad_agent` with everything that is wrong, naming the agent and
 * the fields. Whether names stand for something is asked when the agent runs.
 */
export function parseAgentConfiguration(json: unknown): AgentConfiguration {
  const value = typeof json === "string" ? parseJson(json, "an agent") : json;
  const problems = new Problems();
  const agent = readAgentConfiguration(value, problems);
  problems.throwAbout(agentTitle(value));
  return agent;
}

/** The same for one of many: what is wrong is added to the problems, and then what is returned must not be used. */
export function readAgentConfiguration(value: unknown, problems: Problems): AgentConfiguration {
  const given = isRecord(value) ? value : {};
  if (given !== value) problems.add("an agent must be an object");
  else {
    for (const field of Object.keys(given))
      if (!FIELDS.includes(field)) problems.add(noSuchField(field, FIELDS));
    for (const field of TEXTS) checkText(field, given[field], problems);
    for (const field of [...LISTS, ...MORE_LISTS]) checkList(field, given[field], problems);
  }
  const texts = TEXTS.map((field) => [field, given[field]]);
  const lists = LISTS.map((field) => [field, copyOf(given[field] ?? [])]);
  const more = MORE_LISTS.flatMap((field) =>
    given[field] === undefined ? [] : [[field, copyOf(given[field])]],
  );
  // Each field was looked at above, which a type cannot follow.
  return Object.freeze(Object.fromEntries([...texts, ...lists, ...more])) as unknown as AgentConfiguration;
}

/** How errors call an agent. */
export function agentTitle(value: unknown, nameless = "an agent without an id"): string {
  const { id } = Object(value) as { id?: unknown };
  return typeof id === "string" && id !== "" ? `agent "${id}"` : nameless;
}

export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new TenterhookError("bad_agent", `${what} is no JSON: ${messageOf(error)}.`, { cause: error });
  }
}

function checkText(field: string, value: unknown, problems: Problems): void {
  if (typeof value !== "string") problems.add(`${field} must be a text`);
  else if (value === "" && !MAY_BE_EMPTY.includes(field)) problems.add(`${field} must not be empty`);
}

function checkList(field: string, value: unknown, problems: Problems): void {
  if (value === undefined) return;
  if (!Array.isArray(value) || value.some((name) => typeof name !== "string" || name === "")) {
    problems.add(`${field} must be a list of names`);
    return;
  }
  // A hook that is listed twice would run twice, which nobody means.
  for (const name of new Set(value.filter((each, index) => value.indexOf(each) !== index)))
    problems.add(`${field} has "${name}" twice`);
}

function copyOf(list: unknown): unknown {
  return Array.isArray(list) ? Object.freeze([...list]) : list;
}
