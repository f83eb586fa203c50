import {
  isKnownEvent,
  type KnownRunEvent,
  type RunEvent,
  type RunEventType,
} from "@tenterhook/protocol/runs";
import { AgentTimeline } from "./agent-timeline.ts";
import type { PhaseDetail, PhaseName, RowState, TimelineNode } from "./timeline-row.ts";

const LABELS: Readonly<Record<PhaseName, string>> = {
  queued: "Queued",
  preparing: "Preparing",
  ready: "Waiting for a runner",
  claimed: "Claimed",
  running: "Running",
  stopping: "Stopping",
  finishing: "Finishing",
  after: "After the end",
};

/** Events that only start the next phase. */
const FOLLOWS: Readonly<Partial<Record<RunEventType, PhaseName>>> = {
  run_created: "queued",
  run_preparing: "preparing",
  run_ready: "ready",
  run_finishing: "finishing",
};

interface Phase extends TimelineNode {
  readonly detail: PhaseDetail;
}

/** One attempt to execute a run. */
export interface Attempt {
  readonly node: TimelineNode;
  readonly timeline: AgentTimeline;
}

/**
 * The phases of a run, from its events:
 *
 *     queued ─ preparing ─ ready ─ claimed ─ running ──────── finishing
 *                            └── again, when its runner was lost ┘ └ stopping (beside running)
 */
export class Phases {
  readonly nodes: Phase[] = [];
  readonly attempts: Attempt[] = [];
  #open: Phase[] = [];

  /** Adds an event of the run. */
  add(event: RunEvent, at: number): void {
    if (!isKnownEvent(event)) return;
    const followed = FOLLOWS[event.event_type];
    if (followed === undefined) this.#change(event, at);
    else this.#next(followed, at);
  }

  /** Events that do more than start the next phase. */
  #change(event: KnownRunEvent, at: number): void {
    switch (event.event_type) {
      case "run_claimed":
        this.#next("claimed", at, { runnerId: event.runner_id, attempt: event.attempt });
        break;
      case "run_started":
        this.#next("running", at, {
          runnerId: event.runner_id,
          attempt: this.#open[0]?.detail.attempt,
        });
        break;
      case "run_released":
        this.#close(at, "unknown", event.reason);
        this.#begin("ready", at);
        break;
      case "run_retried":
        this.#close(at, "failed", event.reason);
        this.#begin("ready", at);
        break;
      case "run_stopping":
        // A running phase stays open until the runner has stopped.
        if (this.#open[0]?.detail.phase !== "running") this.#close(at, "done");
        this.#begin("stopping", at, { reason: event.reason });
        break;
      case "run_completed":
        this.#close(at, "done");
        break;
      case "run_failed":
        this.#close(at, event.block_reason === undefined ? "failed" : "blocked");
        break;
      case "run_stopped":
        this.#close(at, "stopped");
        break;
      default:
        this.attempts.at(-1)?.timeline.add(event, at);
    }
  }

  /** Ends open phases: not all events may have been read. */
  end(at: number, state: RowState): void {
    this.#close(at, state);
  }

  last(name: PhaseName): Phase | undefined {
    return this.nodes.findLast(({ detail }) => detail.phase === name);
  }

  /** Adds a phase that no event reports. */
  addPhase(name: PhaseName, from: number, to: number | null, state: RowState): Phase {
    const node: Phase = {
      id: this.#newId(name),
      label: LABELS[name],
      from,
      to,
      state,
      detail: { type: "phase", phase: name },
      children: [],
    };
    this.nodes.push(node);
    return node;
  }

  /** By the name, not the position: rows that come before it, when events are read, do not change which row is open. */
  #newId(name: PhaseName): string {
    const earlier = this.nodes.filter(({ detail }) => detail.phase === name).length;
    return earlier === 0 ? `phase-${name}` : `phase-${name}-${earlier + 1}`;
  }

  #next(name: PhaseName, at: number, facts?: Partial<PhaseDetail>): void {
    this.#close(at, "done");
    this.#begin(name, at, facts);
  }

  #begin(name: PhaseName, at: number, facts: Partial<PhaseDetail> = {}): void {
    const { attempt = 1 } = facts;
    const node: Phase = {
      id: this.#newId(name),
      label: attempt > 1 ? `${LABELS[name]}, attempt ${attempt}` : LABELS[name],
      from: at,
      to: null,
      state: name === "queued" || name === "ready" ? "waiting" : "in_progress",
      detail: { type: "phase", phase: name, ...facts },
      children: [],
    };
    this.nodes.push(node);
    this.#open.push(node);
    if (name === "running") {
      this.attempts.push({ node, timeline: new AgentTimeline(`attempt-${this.attempts.length + 1}`, node) });
    }
  }

  #close(at: number, state: RowState, reason?: string): void {
    for (const node of this.#open) {
      node.to = Math.max(node.from, at);
      // The stopping phase itself succeeded.
      node.state = node.detail.phase === "stopping" && state === "stopped" ? "done" : state;
      node.detail.reason ??= reason;
      if (node.detail.phase !== "running") continue;
      this.attempts.at(-1)?.timeline.end(node.to, state === "stopped" ? "stopped" : "unknown");
    }
    this.#open = [];
  }
}
