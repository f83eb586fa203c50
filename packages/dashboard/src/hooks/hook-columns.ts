import { DEFAULT_HOOK_SECONDS, type NamedHook } from "@tenterhook/protocol/runs";
import type { SortColumn } from "../components/sort-rows.ts";

/** The columns of the list of named hooks. */
export const HOOK_COLUMNS = [
  { key: "name", label: "Name", value: ({ name }) => name },
  { key: "calls", label: "Calls", value: ({ definition }) => targetText(definition) },
  { key: "on_error", label: "On error", value: ({ definition }) => definition.on_error },
  { key: "mode", label: "Mode", value: ({ definition }) => modeText(definition) },
  { key: "timeout", label: "Timeout", value: ({ definition }) => timeoutSeconds(definition) },
  { key: "users", label: "Used by", value: ({ used_by }) => used_by.length, isDescendingFirst: true },
  { key: "results", label: "Recent results", value: ({ counts }) => counts.ran, isDescendingFirst: true },
] as const satisfies readonly SortColumn<NamedHook>[];

type Definition = NamedHook["definition"];

/** `agent judge` or `POST https://…` */
export function targetText(definition: Definition): string {
  return definition.type === "agent"
    ? `agent ${definition.agent_name}`
    : `${definition.method} ${definition.url}`;
}

export function modeText({ mode }: Definition): string {
  return mode ?? "by type";
}

export function timeoutSeconds({ timeout_seconds }: Definition): number {
  return timeout_seconds ?? DEFAULT_HOOK_SECONDS;
}
