import type { RunDetail, RunEvent } from "@tenterhook/protocol/runs";
import { firstWords } from "./first-words.ts";
import { addApprovals, addHooks } from "./hook-nodes.ts";
import { Phases } from "./phases.ts";
import type { Outcome, Timeline, TimelineNode, TimelineRow } from "./timeline-row.ts";

const OUTCOMES: Readonly<Partial<Record<RunDetail["status"], Outcome>>> = {
  completed: "done",
  failed: "failed",
  stopped: "stopped",
};

/**
 * Everything that took time in a run, from what is known of it and the events that have been read so far, in their order.
 * What the run's record knows and the events do not tell (yet) is taken from the record.
 */
export function runTimeline(run: RunDetail, events: readonly RunEvent[]): Timeline {
  const phases = new Phases();
  for (const event of events) phases.add(event, Date.parse(event.timestamp));
  if (phases.nodes.length === 0) addKnownPhases(phases, run);
  if (run.finished_at !== null) {
    phases.end(
      Date.parse(run.finished_at),
      run.block_reason === null ? (OUTCOMES[run.status] ?? "unknown") : "blocked",
    );
  }
  addApprovals(addHooks(phases, run.hooks), phases, run.approvals);
  return laidOut(phases.nodes, Date.parse(run.created_at));
}

/** Events are kept for a while only, and come later than the record; roughly, its times tell the same. */
function addKnownPhases(
  phases: Phases,
  { created_at, started_at, finished_at, status, block_reason }: RunDetail,
): void {
  const [created, ended] = [Date.parse(created_at), finished_at === null ? null : Date.parse(finished_at)];
  const started = started_at === null ? undefined : Date.parse(started_at);
  const last = block_reason === null ? (OUTCOMES[status] ?? "going_on") : "blocked";
  const isWaiting = ended === null && started === undefined;
  phases.addPhase(
    "queued",
    created,
    started ?? ended,
    started !== undefined ? "done" : isWaiting ? "waiting" : last,
  );
  if (started !== undefined) phases.addPhase("running", started, ended, last);
}

function laidOut(nodes: readonly TimelineNode[], created: number): Timeline {
  const rows: TimelineRow[] = [];
  const span = { from: created, to: created, isOpen: false };
  const add = (node: TimelineNode, depth: number) => {
    const { children, ...row } = node;
    const about = row.about ?? (row.detail.type === "step" ? firstWords(row.detail.said) : undefined);
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
