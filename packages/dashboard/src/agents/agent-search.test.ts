import type { AgentSummary } from "@tenterhook/protocol/runs";
import { expect, test } from "vitest";
import { searchAgents } from "./agent-search.ts";

const agent = (name: string, more: Partial<AgentSummary>): AgentSummary => ({
  name,
  type: "procedural",
  description: "",
  revision: 1,
  hooks: [],
  tags: [],
  demo: null,
  updated_at: "2026-01-01T00:00:00.000Z",
  updated_by: null,
  ...more,
});
const agents = [
  agent("report", { description: "Writes reports", hooks: ["on_run_start"] }),
  agent("guard", { type: "autonomous", tags: ["gpu"] }),
];

test.each([
  ["", ["report", "guard"]],
  ["GUARD", ["guard"]],
  ["writes", ["report"]],
  ["gpu autonomous", ["guard"]],
  ["on_run_start", ["report"]],
  ["gpu report", []],
])("%j finds %j", (search, names) =>
  expect(searchAgents(agents, search).map(({ name }) => name)).toEqual(names),
);
