import type { Approval, HookRecord } from "@tenterhook/protocol/runs";
import { inputSummary } from "./input-summary.ts";
import type { Phases } from "./phases.ts";
import type { RowState, TimelineNode } from "./timeline-row.ts";

const ROW_STATES: Readonly<Record<HookRecord["state"], RowState>> = {
  pending: "waiting",
  running: "in_progress",
  waiting: "in_progress",
  asking: "asking",
  done: "done",
  failed: "failed",
  blocked: "blocked",
  cancelled: "stopped",
};

/** Adds every hook to the phase that waited for it, or to its tool call. */
export function addHooks(phases: Phases, hooks: readonly HookRecord[]): ReadonlyMap<string, TimelineNode> {
  const nodes = new Map<string, TimelineNode>();
  for (const hook of hooks) {
    const node = hookNode(hook);
    nodes.set(hook.hook_id, node);
    const parent =
      hook.hook_type === "on_tool_call" ? checkedTool(phases, hook, node.from) : findPhase(phases, hook);
    if (parent === undefined) {
      const after = phases.last("after") ?? phases.addPhase("after", node.from, node.to, "done");
      after.children.push(node);
      after.from = Math.min(after.from, node.from);
      after.to = after.to === null || node.to === null ? null : Math.max(after.to, node.to);
      after.state = after.to === null ? "in_progress" : "done";
    } else parent.children.push(node);
  }
  return nodes;
}

function hookNode(hook: HookRecord): TimelineNode {
  const { hook_id, hook_type, name, target_name, state, started_at, created_at, finished_at } = hook;
  const from = Date.parse(created_at);
  const to = finished_at === null ? null : Math.max(from, Date.parse(finished_at));
  return {
    id: hook_id,
    label: hook_type,
    about: name ?? target_name,
    from,
    started: started_at === null ? undefined : Math.max(from, Date.parse(started_at)),
    to,
    state: ROW_STATES[state],
    detail: { type: "hook", hook },
    children: [],
  };
}

/** Undefined for asynchronous hooks, which run after the end. */
function findPhase(phases: Phases, { hook_type, mode }: HookRecord): TimelineNode | undefined {
  if (hook_type === "on_run_start") return phases.last("preparing") ?? phases.nodes.at(-1);
  if (hook_type === "on_result" || mode === "sync") return phases.last("finishing") ?? phases.nodes.at(-1);
  return undefined;
}

/** Tool call ids are unique only within an attempt, so the attempt at the time of the hook is used. */
function checkedTool(
  phases: Phases,
  { tool_use_id, input }: HookRecord,
  at: number,
): TimelineNode | undefined {
  const attempt = phases.attempts.findLast(({ node }) => node.from <= at) ?? phases.attempts[0];
  if (attempt === undefined) return phases.last("running");
  const tool = attempt.timeline.checkedTool(tool_use_id ?? "", readText(input.tool_name) ?? "tool", at);
  tool.detail.input ??= input.tool_input;
  tool.about ??= inputSummary(input.tool_input);
  tool.from = Math.min(tool.from, at);
  return tool;
}

const APPROVAL_ROW_STATES: Readonly<Record<Approval["state"], RowState>> = {
  pending: "asking",
  approved: "done",
  rejected: "blocked",
  expired: "blocked",
  cancelled: "stopped",
};

/** Adds every approval to the hook that requested it, or to its tool call. */
export function addApprovals(
  hooks: ReadonlyMap<string, TimelineNode>,
  phases: Phases,
  approvals: readonly Approval[],
): void {
  for (const approval of approvals) {
    const { approval_id, hook_id, asked_by, created_at, decided_at, state } = approval;
    const from = Date.parse(created_at);
    const parent =
      (hook_id === null ? askedTool(phases, approval, from) : hooks.get(hook_id)) ?? phases.nodes.at(-1);
    parent?.children.push({
      id: approval_id,
      label: "Approval",
      about: asked_by,
      from,
      to: decided_at === null ? null : Math.max(from, Date.parse(decided_at)),
      state: APPROVAL_ROW_STATES[state],
      detail: { type: "approval", approval },
      children: [],
    });
  }
}

function askedTool(phases: Phases, { subject }: Approval, at: number): TimelineNode | undefined {
  const attempt = phases.attempts.findLast(({ node }) => node.from <= at);
  if (attempt === undefined) return undefined;
  const id = readText(subject.tool_use_id);
  return (id === undefined ? undefined : attempt.timeline.tool(id)) ?? attempt.node;
}

function readText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
