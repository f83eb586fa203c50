import type { RunDetail, RunEvent } from "@tenterhook/protocol/runs";
import type { RunsWithEvents } from "../events/use-runs-with-events.ts";
import { addApprovals, addHooks } from "./hook-nodes.ts";
import { inputSummary } from "./input-summary.ts";
import { Phases } from "./phases.ts";
import type { RowState, Timeline, TimelineNode, TimelineRow } from "./timeline-row.ts";

const ROW_STATES: Readonly<Partial<Record<RunDetail["status"], RowState>>> = {
  completed: "done",
  failed: "failed",
  stopped: "stopped",
};

/**
 * The timeline of a run, from its record and the events that have been read so far, in order. What the events do not contain
 * (yet) comes from the record.
 */
export function runTimeline(
  run: RunDetail,
  events: readonly RunEvent[],
  children: RunsWithEvents = new Map(),
): Timeline {
  return layOut(toNodes(run, events, children), Date.parse(run.created_at));
}

function toNodes(
  run: RunDetail,
  events: readonly RunEvent[],
  children: RunsWithEvents,
): readonly TimelineNode[] {
  const phases = new Phases();
  for (const event of events) phases.add(event, Date.parse(event.timestamp));
  if (phases.nodes.length === 0) addKnownPhases(phases, run);
  if (run.finished_at !== null) {
    phases.end(
      Date.parse(run.finished_at),
      run.block_reason === null ? (ROW_STATES[run.status] ?? "unknown") : "blocked",
    );
  }
  const hooks = addHooks(phases, run.hooks);
  addApprovals(hooks, phases, run.approvals);
  for (const { hook_id, child_run_id } of run.hooks) {
    const child = child_run_id === null ? undefined : children.get(child_run_id);
    if (child === undefined) continue;
    // The ids of rows are unique within a run only.
    const nodes = toNodes(child.run, child.events, children).map((node) => prefixed(node, child.run.run_id));
    hooks.get(hook_id)?.children.push(...nodes);
  }
  return phases.nodes;
}

function prefixed(node: TimelineNode, prefix: string): TimelineNode {
  return {
    ...node,
    id: `${prefix}/${node.id}`,
    children: node.children.map((child) => prefixed(child, prefix)),
  };
}

/** Events are kept for a limited time and are read after the record, whose times give an approximation. */
function addKnownPhases(
  phases: Phases,
  { created_at, started_at, finished_at, status, block_reason }: RunDetail,
): void {
  const [created, ended] = [Date.parse(created_at), finished_at === null ? null : Date.parse(finished_at)];
  const started = started_at === null ? undefined : Date.parse(started_at);
  const last = block_reason === null ? (ROW_STATES[status] ?? "in_progress") : "blocked";
  const isWaiting = ended === null && started === undefined;
  phases.addPhase(
    "queued",
    created,
    started ?? ended,
    started !== undefined ? "done" : isWaiting ? "waiting" : last,
  );
  if (started !== undefined) phases.addPhase("running", started, ended, last);
}

function layOut(nodes: readonly TimelineNode[], created: number): Timeline {
  const rows: TimelineRow[] = [];
  const span = { from: created, to: created, isOpen: false };
  // The clocks of runners and coordinator differ a little; nothing begins before what it is a part of.
  const add = (node: TimelineNode, depth: number, earliest: number) => {
    const { children, ...given } = node;
    const from = Math.max(given.from, earliest);
    const row = {
      ...given,
      from,
      started: given.started === undefined ? undefined : Math.max(from, given.started),
      to: given.to === null ? null : Math.max(from, given.to),
    };
    const about = row.about ?? (row.detail.type === "step" ? inputSummary(row.detail.text) : undefined);
    rows.push({ ...row, about, depth, childCount: children.length });
    span.to = Math.max(span.to, row.to ?? from);
    span.isOpen ||= row.to === null;
    for (const child of inOrder(children)) add(child, depth + 1, from);
  };
  let earliest = created;
  for (const node of nodes) {
    add(node, 0, earliest);
    earliest = Math.max(earliest, node.from);
  }
  return { rows, ...span };
}

function inOrder(nodes: readonly TimelineNode[]): readonly TimelineNode[] {
  return nodes.length < 2 ? nodes : nodes.toSorted((one, other) => one.from - other.from);
}
