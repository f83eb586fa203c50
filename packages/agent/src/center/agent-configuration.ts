import { isRecord, messageOf, withoutBom } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import { Problems, unknownField } from "./problems.ts";

/** An agent as data. Everything that it uses is listed by name, and resolved when it runs. */
export interface AgentConfiguration {
  readonly id: string;
  readonly name: string;
  /** For agents that delegate to it: when to use it. */
  readonly description: string;
  readonly modelName: string;
  /** The system prompt. */
  readonly instructions: string;
  readonly toolNames: readonly string[];
  readonly mcpServerNames: readonly string[];
  readonly preHookNames: readonly string[];
  readonly postHookNames: readonly string[];
  /** Beyond the nine fields above: hooks that see every event of a run. */
  readonly streamHookNames?: readonly string[];
  /** Beyond the nine fields above: ids of agents that it may delegate to, each a tool of that agent's name. */
  readonly subagents?: readonly string[];
}

const TEXTS = ["id", "name", "description", "modelName", "instructions"] as const;
const LISTS = ["toolNames", "mcpServerNames", "preHookNames", "postHookNames"] as const;
const MORE_LISTS = ["streamHookNames", "subagents"] as const;
const FIELDS: readonly string[] = [...TEXTS, ...LISTS, ...MORE_LISTS];

/** May be empty; the others are resolved or displayed, so an empty text cannot be meant. */
const MAY_BE_EMPTY: readonly string[] = ["description", "instructions"];

/** An agent as it is written: lists may be omitted. */
export type AgentConfigurationInput = Pick<AgentConfiguration, (typeof TEXTS)[number]> & {
  readonly [List in (typeof LISTS)[number] | (typeof MORE_LISTS)[number]]?: readonly string[] | undefined;
};

/**
 * Reads an agent from JSON, as text or parsed. Throws `bad_agent` with all problems, the agent and the fields. Names are resolved
 * when the agent runs.
 */
export function parseAgentConfiguration(json: unknown): AgentConfiguration {
  const value = typeof json === "string" ? parseJson(json, "an agent") : json;
  const problems = new Problems();
  const agent = readAgentConfiguration(value, problems);
  problems.throwIfAny(agentTitle(value));
  return agent;
}

/** Reads one of several agents and collects its problems; if there are any, the returned value must not be used. */
export function readAgentConfiguration(value: unknown, problems: Problems): AgentConfiguration {
  const given = isRecord(value) ? value : {};
  if (given !== value) problems.add("an agent must be an object");
  else {
    for (const field of Object.keys(given))
      if (!FIELDS.includes(field)) problems.add(unknownField(field, FIELDS));
    for (const field of TEXTS) checkText(field, given[field], problems);
    for (const field of [...LISTS, ...MORE_LISTS]) checkList(field, given[field], problems);
  }
  const texts = TEXTS.map((field) => [field, given[field]]);
  const lists = LISTS.map((field) => [field, copyList(given[field] ?? [])]);
  const more = MORE_LISTS.flatMap((field) =>
    given[field] === undefined ? [] : [[field, copyList(given[field])]],
  );
  // Each field was checked above, which TypeScript cannot follow.
  return Object.freeze(Object.fromEntries([...texts, ...lists, ...more])) as unknown as AgentConfiguration;
}

/** How error messages name an agent. */
export function agentTitle(value: unknown, nameless = "an agent without an id"): string {
  const { id } = Object(value) as { id?: unknown };
  return typeof id === "string" && id !== "" ? `agent "${id}"` : nameless;
}

export function parseJson(text: string, subject: string): unknown {
  try {
    return JSON.parse(withoutBom(text));
  } catch (error) {
    throw new TenterhookError("bad_agent", `${subject} is not JSON: ${messageOf(error)}.`, { cause: error });
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
  // A hook that is listed twice would run twice, which cannot be intended.
  for (const name of new Set(value.filter((each, index) => value.indexOf(each) !== index)))
    problems.add(`${field} has "${name}" twice`);
}

function copyList(list: unknown): unknown {
  return Array.isArray(list) ? Object.freeze([...list]) : list;
}
