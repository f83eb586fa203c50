import type { Draft } from "../../editing/draft.ts";
import { isWithin } from "../../editing/problems.ts";

export type AgentType = "autonomous" | "procedural";

export const EDITOR_TABS = ["agent", "schemas", "hooks", "json", "history"] as const;
export type EditorTab = (typeof EDITOR_TABS)[number];

export const TAB_NAMES: Readonly<Record<EditorTab, string>> = {
  agent: "Agent",
  schemas: "Schemas",
  hooks: "Hooks",
  json: "JSON",
  history: "History",
};

/** Fields that agents of one type have, and those of the other do not. */
const OWN_FIELDS: Readonly<Record<AgentType, readonly string[]>> = {
  autonomous: ["system_prompt", "model", "tools", "mcp_servers"],
  procedural: ["command", "module"],
};

const SHARED_FIELDS = ["name", "type", "description", "tags", "timeout_seconds", "max_attempts"];
const SCHEMA_FIELDS = ["parameters_schema", "output_schema"];

export function typeOf(value: Readonly<Record<string, unknown>>): AgentType {
  return value.type === "procedural" ? "procedural" : "autonomous";
}

/** Changes the type of the agent. Fields of the other type are kept in `replaced` and restored with it. */
export function withType(draft: Draft, type: AgentType): Draft {
  const other: AgentType = type === "autonomous" ? "procedural" : "autonomous";
  const leaving = OWN_FIELDS[other].filter((field) => field in draft.value);
  const replaced = { ...draft.replaced, [`type:${other}`]: pick(draft.value, leaving) };
  const back = (draft.replaced[`type:${type}`] ?? {}) as Readonly<Record<string, unknown>>;
  const kept = Object.entries(draft.value).filter(([field]) => !leaving.includes(field));
  return { ...draft, value: { ...Object.fromEntries(kept), ...back, type }, replaced };
}

/** The tab that has the field of a path; the JSON tab when the form has no such field. */
export function tabOf(path: string, type: AgentType): EditorTab {
  if (isWithin(path, "hooks")) return "hooks";
  if (SCHEMA_FIELDS.some((field) => isWithin(path, field))) return "schemas";
  return [...SHARED_FIELDS, ...OWN_FIELDS[type]].some((field) => isWithin(path, field)) ? "agent" : "json";
}

/** The label of a field in messages. */
export function fieldName(path: string): string {
  const [first = "", second, ...rest] = path.split(".");
  if (first !== "hooks") return path === "" ? "the JSON" : first.replaceAll("_", " ");
  return [second ?? "hooks", ...rest.slice(0, 1).map((name) => name.replaceAll("_", " "))].join(": ");
}

function pick(value: Readonly<Record<string, unknown>>, fields: readonly string[]) {
  return Object.fromEntries(fields.map((field) => [field, value[field]]));
}
