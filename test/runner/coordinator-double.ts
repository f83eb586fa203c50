import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import {
  type ApprovalAnswer,
  type AssignedRun,
  approvalRequest,
  type BlueprintInput,
  blueprint,
  completedReport,
  eventsReport,
  failedReport,
  heartbeatRequest,
  registerRequest,
  startedReport,
  stoppedReport,
  type ToolCallAnswer,
  toolCallRequest,
} from "@tenterhook/protocol/runs";
import { onTestFinished } from "vitest";

export interface Told {
  readonly runId: string;
  readonly kind: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly at: number;
}

type Waiting = { readonly hasSlot: boolean; readonly answer: (offer: object | undefined) => void };

const REPORTS = {
  started: startedReport,
  completed: completedReport,
  failed: failedReport,
  stopped: stoppedReport,
} as const;

/**
 * A coordinator that does what a test says: a real server that speaks the runner's API, checks every body by its schema, and
 * can hang up, refuse, lose leases and go away whenever it is told to.
 */
export class CoordinatorDouble {
  readonly token = "a-token";
  leaseSeconds = 30;
  heartbeatSeconds = 10;
  /** Ids of runners that it knows. */
  readonly runners: string[] = [];
  readonly registrations: Readonly<Record<string, unknown>>[] = [];
  readonly heartbeats: { readonly at: number; readonly runs: readonly string[] }[] = [];
  readonly polls: { readonly slots: string }[] = [];
  readonly told: Told[] = [];
  /** As they were stored: what came twice is there once. */
  readonly events: {
    readonly runId: string;
    readonly number: number;
    readonly type: string;
    readonly data: Record<string, unknown>;
  }[] = [];
  readonly approvals: Readonly<Record<string, unknown>>[] = [];
  /** Runs whose lease is another's. */
  readonly lost = new Set<string>();
  readonly stopping = new Set<string>();
  /** Called before a request is looked at; what it returns is done instead. */
  intercept:
    | ((request: { path: string; body: unknown }) => "hang up" | "hang up after" | number | undefined)
    | undefined;
  toolVerdict: (question: Readonly<Record<string, unknown>>) => ToolCallAnswer = () => ({
    action: "continue",
  });
  approvalAnswer: () => ApprovalAnswer = () => ({ type: "wait" });

  readonly #offers: { readonly offer: object; readonly takesSlot: boolean }[] = [];
  readonly #waiting = new Set<Waiting>();
  readonly #watchers = new Set<() => void>();
  #server: Server | undefined;
  #port = 0;

  static async start(): Promise<CoordinatorDouble> {
    const double = new CoordinatorDouble();
    await double.open();
    onTestFinished(() => double.close());
    return double;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Listens, on the same port as before. */
  async open(): Promise<void> {
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch((error: unknown) =>
        problem(response, 500, "internal", String(error)),
      );
    });
    this.#server.listen(this.#port, "127.0.0.1");
    await once(this.#server, "listening");
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Goes away without a word: every connection breaks. */
  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    this.#waiting.clear();
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  }

  /** Has a run carried out by whoever asks next. */
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

  /** Waits until something is so; looked at whenever a request has come in. */
  async until<T>(look: () => T | undefined | false): Promise<T> {
    for (;;) {
      const found = look();
      if (found !== undefined && found !== false) return found;
      await new Promise<void>((resolve) => this.#watchers.add(resolve));
    }
  }

  report(run: AssignedRun, kind: string): Promise<Told> {
    return this.until(() => this.told.find((each) => each.runId === run.run_id && each.kind === kind));
  }

  /** The first report about how a run ended. */
  ending(run: AssignedRun): Promise<Told> {
    const isEnding = ({ kind }: Told) => kind === "completed" || kind === "failed" || kind === "stopped";
    return this.until(() => this.told.find((each) => each.runId === run.run_id && isEnding(each)));
  }

  eventsOf({ run_id }: AssignedRun): { readonly type: string; readonly data: Record<string, unknown> }[] {
    return this.events.filter(({ runId }) => runId === run_id).map(({ type, data }) => ({ type, data }));
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname: path, searchParams: query } = new URL(request.url ?? "/", this.url);
    const sent = await text(request);
    const body: unknown = sent === "" ? undefined : JSON.parse(sent);
    const instead = this.intercept?.({ path, body });
    if (instead === "hang up") return void request.destroy();
    if (typeof instead === "number") return problem(response, instead, "told_to", "as the test says");
    const answer = (status: number, value?: object) => {
      if (instead === "hang up after") request.destroy();
      else
        response
          .writeHead(status, { "content-type": "application/json" })
          .end(value && JSON.stringify(value));
      this.#changed();
    };
    if (request.headers.authorization !== `Bearer ${this.token}`) {
      return problem(response, 401, "unauthenticated", "the token is unknown");
    }
    const [, runId = "", part = "", id] = /^\/runner\/runs\/([^/]+)\/([^/]+)(?:\/([^/]+))?$/.exec(path) ?? [];
    if (path === "/runner/register") return answer(200, this.#register(body));
    if (path === "/runner/heartbeat" || path === "/runner/runs") {
      const runner = query.get("runner_id") ?? (body as { runner_id: string }).runner_id;
      if (!this.runners.includes(runner)) {
        problem(response, 404, "unknown_runner", "no such runner");
        return this.#changed();
      }
    }
    if (path === "/runner/heartbeat") return answer(200, this.#heartbeat(body));
    if (path === "/runner/runs") return this.#poll(query, request, answer);
    if (part === "approvals" && id !== undefined) return answer(200, this.approvalAnswer());
    return this.#about(runId, part, body, response, answer);
  }

  #register(body: unknown): object {
    const request = registerRequest.parse(body);
    const runnerId = request.runner_id ?? `runner_${this.runners.length + 1}`;
    this.runners.push(runnerId);
    this.registrations.push(request);
    return {
      runner_id: runnerId,
      lease_seconds: this.leaseSeconds,
      heartbeat_seconds: this.heartbeatSeconds,
    };
  }

  #heartbeat(body: unknown): object {
    const runs = heartbeatRequest.parse(body).runs.map(({ run_id }) => run_id);
    this.heartbeats.push({ at: performance.now(), runs });
    return {
      lost: runs.filter((id) => this.lost.has(id)),
      stop: runs.filter((id) => this.stopping.has(id)),
      is_draining: false,
    };
  }

  #poll(
    query: URLSearchParams,
    request: IncomingMessage,
    answer: (status: number, value?: object) => void,
  ): void {
    this.polls.push({ slots: query.get("slots") ?? "" });
    const waiting: Waiting = {
      hasSlot: query.get("slots") !== "0",
      answer: (offer) => {
        clearTimeout(timer);
        this.#waiting.delete(waiting);
        answer(offer === undefined ? 204 : 200, offer);
      },
    };
    const timer = setTimeout(() => waiting.answer(undefined), Number(query.get("wait")) * 1_000);
    request.socket.once("close", () => {
      clearTimeout(timer);
      this.#waiting.delete(waiting);
    });
    this.#waiting.add(waiting);
    this.#serve();
    this.#changed();
  }

  /** As the real one: stop orders and hook runs for everybody, all else for those with a slot. */
  #serve(): void {
    for (const waiting of [...this.#waiting]) {
      const index = this.#offers.findIndex(({ takesSlot }) => waiting.hasSlot || !takesSlot);
      const [found] = index === -1 ? [] : this.#offers.splice(index, 1);
      if (found !== undefined) waiting.answer(found.offer);
    }
  }

  #about(
    runId: string,
    part: string,
    body: unknown,
    response: ServerResponse,
    answer: (status: number, value?: object) => void,
  ): void {
    if (this.lost.has(runId)) {
      this.told.push({ runId, kind: `refused ${part}`, body: {}, at: performance.now() });
      problem(response, 409, "lease_lost", "the run is no longer this runner's");
      return this.#changed();
    }
    switch (part) {
      case "started":
      case "completed":
      case "failed":
      case "stopped":
        this.told.push({ runId, kind: part, body: REPORTS[part].parse(body), at: performance.now() });
        return answer(200, { status: part === "started" ? "running" : part });
      case "events": {
        const { first, events } = eventsReport.parse(body);
        const stored = this.events.filter((each) => each.runId === runId).at(-1)?.number ?? 0;
        for (const [index, { event_type: type, data }] of events.entries()) {
          if (first + index > stored) this.events.push({ runId, number: first + index, type, data });
        }
        return answer(200, { status: "running" });
      }
      case "tool-calls":
        return answer(200, this.toolVerdict(toolCallRequest.parse(body)));
      case "approvals":
        this.approvals.push(approvalRequest.parse(body));
        return answer(200, { approval_id: `apr_${this.approvals.length}`, answer: { type: "wait" } });
      default:
        return problem(response, 404, "not_found", `there is nothing at ${part}`);
    }
  }

  #changed(): void {
    const watchers = [...this.#watchers];
    this.#watchers.clear();
    for (const wake of watchers) wake();
  }
}

function problem(response: ServerResponse, status: number, code: string, detail: string): void {
  const body = JSON.stringify({ type: `urn:tenterhook:problem:${code}`, title: code, status, code, detail });
  response.writeHead(status, { "content-type": "application/problem+json" }).end(body);
}
