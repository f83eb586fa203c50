import {
  isKnownEvent,
  type KnownRunEvent,
  type RunEvent,
  type RunEventType,
} from "@tenterhook/protocol/runs";
import { AgentScope } from "./agent-scope.ts";
import type { Outcome, PhaseDetail, PhaseName, TimelineNode } from "./timeline-row.ts";

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

/** Where an event means no more than that the next phase has begun. */
const FOLLOWS: Readonly<Partial<Record<RunEventType, PhaseName>>> = {
  run_created: "queued",
  run_preparing: "preparing",
  run_ready: "ready",
  run_finishing: "finishing",
};

interface Phase extends TimelineNode {
  readonly detail: PhaseDetail;
}

/** One attempt at carrying a run out. */
export interface Attempt {
  readonly node: TimelineNode;
  readonly scope: AgentScope;
}

/**
 * The phases of a run, as its events tell them:
 *
 *     queued ─ preparing ─ ready ─ claimed ─ running ──────── finishing
 *                            └── again, when its runner was lost ┘ └ stopping (beside running)
 */
export class Phases {
  readonly nodes: Phase[] = [];
  readonly attempts: Attempt[] = [];
  #open: Phase[] = [];

  /** Takes an event of the run. */
  add(event: RunEvent, at: number): void {
    if (!isKnownEvent(event)) return;
    const followed = FOLLOWS[event.event_type];
    if (followed === undefined) this.#change(event, at);
    else this.#next(followed, at);
  }

  /** Changes that are more than one phase after another. */
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
        // What is being carried out goes on until it has heard of it.
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
        this.attempts.at(-1)?.scope.add(event, at);
    }
  }

  /** Ends what the events left open: they may not all have been read. */
  end(at: number, outcome: Outcome): void {
    this.#close(at, outcome);
  }

  last(name: PhaseName): Phase | undefined {
    return this.nodes.findLast(({ detail }) => detail.phase === name);
  }

  /** Adds a phase that no event reports. */
  addPhase(name: PhaseName, from: number, to: number | null, outcome: Outcome): Phase {
    const node: Phase = {
      id: `phase-${this.nodes.length}`,
      label: LABELS[name],
      from,
      to,
      outcome,
      detail: { type: "phase", phase: name },
      children: [],
    };
    this.nodes.push(node);
    return node;
  }

  #next(name: PhaseName, at: number, facts?: Partial<PhaseDetail>): void {
    this.#close(at, "done");
    this.#begin(name, at, facts);
  }

  #begin(name: PhaseName, at: number, facts: Partial<PhaseDetail> = {}): void {
    const { attempt = 1 } = facts;
    const node: Phase = {
      id: `phase-${this.nodes.length}`,
      label: attempt > 1 ? `${LABELS[name]}, attempt ${attempt}` : LABELS[name],
      from: at,
      to: null,
      outcome: name === "queued" || name === "ready" ? "waiting" : "going_on",
      detail: { type: "phase", phase: name, ...facts },
      children: [],
    };
    this.nodes.push(node);
    this.#open.push(node);
    if (name === "running") {
      this.attempts.push({ node, scope: new AgentScope(`attempt-${this.attempts.length + 1}`, node) });
    }
  }

  #close(at: number, outcome: Outcome, reason?: string): void {
    for (const node of this.#open) {
      node.to = Math.max(node.from, at);
      // That it was told to stop is not what came of the stopping.
      node.outcome = node.detail.phase === "stopping" && outcome === "stopped" ? "done" : outcome;
      node.detail.reason ??= reason;
      if (node.detail.phase !== "running") continue;
      this.attempts.at(-1)?.scope.end(node.to, outcome === "stopped" ? "stopped" : "unknown");
    }
    this.#open = [];
  }
}
