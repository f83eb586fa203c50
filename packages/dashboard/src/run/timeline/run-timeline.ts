import type { RunDetail, RunEvent } from "@tenterhook/protocol/runs";
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
export function runTimeline(run: RunDetail, events: readonly RunEvent[]): Timeline {
  const phases = new Phases();
  for (const event of events) phases.add(event, Date.parse(event.timestamp));
  if (phases.nodes.length === 0) addKnownPhases(phases, run);
  if (run.finished_at !== null) {
    phases.end(
      Date.parse(run.finished_at),
      run.block_reason === null ? (ROW_STATES[run.status] ?? "unknown") : "blocked",
    );
  }
  addApprovals(addHooks(phases, run.hooks), phases, run.approvals);
  return layOut(phases.nodes, Date.parse(run.created_at));
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
  const add = (node: TimelineNode, depth: number) => {
    const { children, ...row } = node;
    const about = row.about ?? (row.detail.type === "step" ? inputSummary(row.detail.text) : undefined);
    rows.push({ ...row, about, depth, childCount: children.length });
    span.from = Math.min(span.from, node.from);
    span.to = Math.max(span.to, node.to ?? node.from);
    span.isOpen ||= node.to === null;
    for (const child of inOrder(children)) add(child, depth + 1);
  };
  for (const node of nodes) add(node, 0);
  return { rows, ...span };
}

function inOrder(nodes: readonly TimelineNode[]): readonly TimelineNode[] {
  return nodes.length < 2 ? nodes : nodes.toSorted((one, other) => one.from - other.from);
}
