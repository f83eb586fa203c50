import { randomUUID } from "node:crypto";
import {
  type ApprovalResponse,
  type AssignedRun,
  approvalRequest,
  type BlueprintInput,
  blueprint,
  type ConversationEntry,
  completedReport,
  conversationReport,
  eventsReport,
  failedReport,
  heartbeatRequest,
  registerRequest,
  startedReport,
  stoppedReport,
  type ToolCallResponse,
  toolCallRequest,
} from "@tenterhook/protocol/runs";
import { onTestFinished } from "vitest";
import {
  type DoubleRequest,
  type DoubleResponse,
  DoubleServer,
  type Interception,
  Refused,
} from "./double-server.ts";

/** A report of a runner about a run. */
export interface Report {
  readonly runId: string;
  readonly kind: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly at: number;
}

interface ReportedEvent {
  readonly runId: string;
  readonly number: number;
  readonly type: string;
  readonly data: Record<string, unknown>;
}

interface Poll {
  readonly hasSlot: boolean;
  readonly answer: (offer: object | undefined) => void;
}

const REPORTS = {
  started: startedReport,
  completed: completedReport,
  failed: failedReport,
  stopped: stoppedReport,
};

const ENDINGS = new Set(["completed", "failed", "stopped"]);

/**
 * A coordinator that a test controls: a real server that speaks the runner's API, checks every body by its schema, and
 * can disconnect, refuse, lose leases and disappear when a test wants that.
 */
export class CoordinatorDouble {
  readonly token = "a-token";
  leaseSeconds = 30;
  heartbeatSeconds = 10;
  /** Ids of the runners that it knows. */
  runners: string[] = [];
  readonly registrations: Readonly<Record<string, unknown>>[] = [];
  readonly heartbeats: { readonly at: number; readonly runs: readonly string[] }[] = [];
  readonly polls: { readonly slots: string; readonly unstarted: string | null }[] = [];
  readonly reports: Report[] = [];
  /** As they were stored: events that were sent twice are stored once. */
  readonly events: ReportedEvent[] = [];
  /** What runs added to the conversation of their session, in order. */
  readonly conversations: {
    readonly sessionId: string;
    readonly runId: string;
    readonly entry: ConversationEntry;
  }[] = [];
  readonly approvals: Readonly<Record<string, unknown>>[] = [];
  /** Ids of runs whose lease was lost, and of those that are to stop. */
  readonly lost = new Set<string>();
  readonly stopping = new Set<string>();
  toolVerdict: (question: Readonly<Record<string, unknown>>) => ToolCallResponse = () => ({
    action: "continue",
  });
  approvalResponse: ApprovalResponse = { type: "wait" };
  readonly #server = new DoubleServer((request) => this.#answer(request));
  readonly #offers: { readonly offer: object; readonly takesSlot: boolean }[] = [];
  readonly #polls = new Set<Poll>();
  readonly #sessionOf = new Map<string, string>();

  static async start(): Promise<CoordinatorDouble> {
    const double = new CoordinatorDouble();
    await double.open();
    onTestFinished(() => double.#server.close());
    return double;
  }

  get url(): string {
    return this.#server.url;
  }

  /** Listens, on the same port as before. */
  open(): Promise<void> {
    return this.#server.open();
  }

  /** Disappears: every connection breaks, and none can be made. */
  goAway(): void {
    this.#polls.clear();
    this.#server.disconnect();
  }

  /** Decides about every request before it is handled. */
  set intercept(intercept: Interception) {
    this.#server.intercept = intercept;
  }

  /** Waits until `find` finds something; it is called after every request. */
  until<T>(find: () => T | undefined | false): Promise<T> {
    return this.#server.until(find);
  }

  /** Gives a run to the runner that polls next. */
  offer(agent: Partial<BlueprintInput>, more: Partial<AssignedRun> = {}): AssignedRun {
    const described = { name: "agent", type: "procedural", ...agent } as BlueprintInput;
    const run: AssignedRun = {
      run_id: `run_${randomUUID().slice(0, 8)}`,
      session_id: `ses_${randomUUID().slice(0, 8)}`,
      parent_session_id: null,
      agent_name: described.name,
      kind: "client",
      attempt: 1,
      lease_token: randomUUID(),
      parameters: {},
      blueprint: blueprint.parse(described),
      has_tool_hook: false,
      withhold_text: false,
      ...more,
    };
    this.#sessionOf.set(run.run_id, run.session_id);
    this.offerAnything({ type: "run", run }, run.kind !== "hook");
    return run;
  }

  orderStop({ run_id, lease_token }: AssignedRun): void {
    this.stopping.add(run_id);
    this.offerAnything({ type: "stop", run_id, lease_token }, false);
  }

  offerAnything(offer: object, takesSlot: boolean): void {
    this.#offers.push({ offer, takesSlot });
    this.#serve();
  }

  report(run: AssignedRun, kind: string): Promise<Report> {
    return this.until(() => this.reports.find((each) => each.runId === run.run_id && each.kind === kind));
  }

  /** The first report about how a run ended. */
  ending({ run_id }: AssignedRun): Promise<Report> {
    return this.until(() => this.reports.find(({ runId, kind }) => runId === run_id && ENDINGS.has(kind)));
  }

  eventsOf({ run_id }: AssignedRun): readonly ReportedEvent[] {
    return this.events.filter(({ runId }) => runId === run_id);
  }

  async #answer({ path, query, body, token, gone }: DoubleRequest): Promise<DoubleResponse> {
    if (token !== this.token) throw new Refused(401, "unauthenticated");
    if (path === "/runner/register") return { status: 200, body: this.#register(body) };
    if (path === "/runner/heartbeat") return { status: 200, body: this.#heartbeat(body) };
    if (path === "/runner/runs") return this.#poll(query, gone);
    const [, runId = "", part = "", id] = /^\/runner\/runs\/([^/]+)\/([^/]+)(?:\/([^/]+))?$/.exec(path) ?? [];
    if (part === "approvals" && id !== undefined) return { status: 200, body: this.approvalResponse };
    return { status: 200, body: this.#about(runId, part, body) };
  }

  #register(body: unknown): object {
    const request = registerRequest.parse(body);
    const runnerId = request.runner_id ?? `runner_${this.registrations.length + 1}`;
    this.runners.push(runnerId);
    this.registrations.push(request);
    const { leaseSeconds, heartbeatSeconds } = this;
    return { runner_id: runnerId, lease_seconds: leaseSeconds, heartbeat_seconds: heartbeatSeconds };
  }

  #know(runnerId: string | null): void {
    if (!this.runners.includes(runnerId ?? "")) throw new Refused(404, "unknown_runner");
  }

  #heartbeat(body: unknown): object {
    const { runner_id, runs: held } = heartbeatRequest.parse(body);
    this.#know(runner_id);
    const runs = held.map(({ run_id }) => run_id);
    this.heartbeats.push({ at: performance.now(), runs });
    return {
      lost: runs.filter((id) => this.lost.has(id) || this.#isOver(id)),
      stop: runs.filter((id) => this.stopping.has(id)),
      is_draining: false,
    };
  }

  #poll(query: URLSearchParams, gone: AbortSignal): Promise<DoubleResponse> {
    this.#know(query.get("runner_id"));
    const slots = query.get("slots") ?? "";
    this.polls.push({ slots, unstarted: query.get("unstarted") });
    return new Promise((resolve) => {
      const answer = (body: object | undefined) => {
        clearTimeout(timer);
        this.#polls.delete(poll);
        resolve(body === undefined ? { status: 204 } : { status: 200, body });
      };
      const poll = { hasSlot: slots !== "0", answer };
      const timer = setTimeout(() => answer(undefined), Number(query.get("wait")) * 1_000);
      gone.addEventListener("abort", () => answer(undefined));
      this.#polls.add(poll);
      this.#serve();
    });
  }

  /** Like the real coordinator: stop orders and runs of hooks for every runner, other runs for those with a free slot. */
  #serve(): void {
    for (const { hasSlot, answer } of [...this.#polls]) {
      const index = this.#offers.findIndex(({ takesSlot }) => hasSlot || !takesSlot);
      const [found] = index === -1 ? [] : this.#offers.splice(index, 1);
      if (found !== undefined) answer(found.offer);
    }
  }

  #about(runId: string, part: string, body: unknown): object {
    const record = (kind: string, body: Report["body"]) =>
      this.reports.push({ runId, kind, body, at: performance.now() });
    if (this.lost.has(runId)) {
      record(`refused ${part}`, {});
      throw new Refused(409, "lease_lost");
    }
    switch (part) {
      case "started":
      case "completed":
      case "failed":
      case "stopped":
        record(part, REPORTS[part].parse(body));
        return { status: part === "started" ? "running" : part };
      case "events":
        this.#store(runId, eventsReport.parse(body));
        return { status: "running" };
      case "conversation":
        return body === undefined ? this.#conversationBefore(runId) : this.#keep(runId, body);
      case "tool-calls":
        return this.toolVerdict(toolCallRequest.parse(body));
      case "approvals":
        this.approvals.push(approvalRequest.parse(body));
        return { approval_id: `apr_${this.approvals.length}`, answer: { type: "wait" } };
      default:
        throw new Refused(404, "not_found");
    }
  }

  #isOver(runId: string): boolean {
    return this.reports.some((each) => each.runId === runId && ENDINGS.has(each.kind));
  }

  #conversationBefore(runId: string): object {
    const entries = this.conversations
      .filter((each) => each.sessionId === this.#sessionOf.get(runId) && this.#isOver(each.runId))
      .map(({ entry }) => entry);
    return { entries, next_after: null };
  }

  #keep(runId: string, body: unknown): object {
    const sessionId = this.#sessionOf.get(runId) ?? "";
    const { entries } = conversationReport.parse(body);
    for (const entry of entries) this.conversations.push({ sessionId, runId, entry });
    return {};
  }

  #store(runId: string, { first, events }: ReturnType<typeof eventsReport.parse>): void {
    const stored = this.events.filter((each) => each.runId === runId).at(-1)?.number ?? 0;
    for (const [index, { event_type: type, data }] of events.entries()) {
      if (first + index > stored) this.events.push({ runId, number: first + index, type, data });
    }
  }
}
