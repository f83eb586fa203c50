import type { AgentSummary } from "@tenterhook/protocol/runs";
import type { SortColumn } from "../components/sort-rows.ts";

/** The columns of the list of agents. */
export const AGENT_COLUMNS = [
  { key: "name", label: "Name", value: ({ name }) => name },
  { key: "type", label: "Type", value: ({ type }) => type },
  { key: "hooks", label: "Hooks", value: ({ hooks }) => hooks.length, isDescendingFirst: true },
  { key: "tags", label: "Tags", value: ({ tags }) => tags.join(" ") },
  { key: "revision", label: "Revision", value: ({ revision }) => revision, isDescendingFirst: true },
  {
    key: "updated",
    label: "Updated",
    value: ({ updated_at }) => Date.parse(updated_at),
    isDescendingFirst: true,
  },
] as const satisfies readonly SortColumn<AgentSummary>[];
