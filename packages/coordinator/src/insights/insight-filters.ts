import { type insightsQuery, readHookKey } from "@tenterhook/protocol/runs";
import type { z } from "zod";
import { allOf, type Fragment } from "../database/fragment.ts";
import { readName } from "../lists/name-filter.ts";
import { equalTo } from "./slot-rows.ts";

/** What a request for insights is limited to. */
export type InsightFilters = Pick<
  z.output<typeof insightsQuery>,
  "agent" | "hook" | "hook_key" | "tool" | "model"
>;

/** The filters of a request, with names as they are stored. */
export function readInsightFilters({ agent, hook, hook_key, tool, model }: InsightFilters): InsightFilters {
  return {
    ...{ agent, hook, hook_key },
    tool: tool === undefined ? undefined : readName(tool),
    model: model === undefined ? undefined : readName(model),
  };
}

/** Whether a request is limited to some calls of hooks. */
export function hasHookFilter({ agent, hook, hook_key, tool }: InsightFilters): boolean {
  return (agent ?? hook ?? hook_key ?? tool) !== undefined;
}

/** The condition on rows about calls of hooks. Reasons are not counted by tool. */
export function hookCondition(
  { agent, hook, hook_key, tool }: InsightFilters,
  table: "hook_rollups" | "reason_rollups" = "hook_rollups",
): Fragment {
  return allOf([
    equalTo({ agent, hook, ...(table === "hook_rollups" && { tool }) }),
    ...(hook_key === undefined ? [] : [isHook(hook_key)]),
  ]);
}

/** An inline hook is counted under what it calls, which may have changed: its agent and its type are what it is known by. */
function isHook(key: string): Fragment {
  const used = readHookKey(key);
  if (used === undefined) throw new Error(`${key} is not the key of a hook`);
  return used.source === "inline"
    ? equalTo({ kind: used.source, agent: used.agent, event: used.name })
    : equalTo({ kind: used.source, hook: used.name });
}
