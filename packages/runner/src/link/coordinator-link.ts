import { HttpClient, type Input, type InputArguments, type OperationName } from "@tenterhook/client";
import type { NotBy } from "@tenterhook/protocol/internal";
import {
  type ApprovalResponse,
  type ApprovalTicket,
  type Assignment,
  approvalResponse,
  approvalTicket,
  assignment,
  type ConversationEntry,
  type ConversationPage,
  conversationPage,
  type HeartbeatResponse,
  heartbeatResponse,
  LEASE_HEADER,
  type RegisterRequest,
  type RegisterResponse,
  registerResponse,
  storableJson,
  type ToolCallResponse,
  toolCallResponse,
} from "@tenterhook/protocol/runs";
import { z } from "zod";
import type { DatedEvent } from "../events/reported-event.ts";
import type { ConnectionStatus } from "./connection-status.ts";
import { isStale, KeptConnections } from "./kept-connections.ts";
import { isNetworkFailure, isRefusal, UnreadableResponse } from "./refusal.ts";

/** The timeout of a request that the coordinator answers at once. */
const RESPONSE_MS = 10_000;

/** The greatest age of an event that the coordinator accepts. */
const LONGEST_AGO_MS = 86_400_000;

/** The most ids of one poll. */
const MAX_UNSTARTED = 200;

/** Where the coordinator is, and the token for it. */
export interface Address {
  readonly url: string;
  readonly token: string;
}

/** The id of a run, and the token that proves the lease. */
export interface LeaseProof {
  readonly runId: string;
  readonly leaseToken: string;
}

/** An assignment, or one of a newer coordinator that this runner cannot read. */
export type Offer =
  | Assignment
  | { readonly type: "unreadable"; readonly proof: LeaseProof; readonly problem: string };

/** A request for the next assignment. */
export interface Poll {
  /** How long the coordinator may hold it. */
  readonly waitSeconds: number;
  readonly hasSlot: boolean;
  /** Ids of the runs that the runner has and whose start the coordinator has not confirmed. */
  readonly unstarted: readonly string[];
  /** The previous poll was not answered. */
  readonly isRetry: boolean;
}

export type ReportKind = "started" | "completed" | "failed" | "stopped";

export interface ToolQuestion {
  readonly tool_use_id: string;
  readonly tool_name: string;
  readonly tool_input: Readonly<Record<string, unknown>>;
}

export interface ApprovalQuestion {
  readonly key: string;
  readonly hook: string;
  readonly reason: string;
  readonly not_by?: NotBy;
  readonly subject: Readonly<Record<string, unknown>>;
}

const claimedRun = z.object({ run: z.object({ run_id: z.string(), lease_token: z.string() }) });

/** How many kept connections are skipped that were closed by the other side just when they were reused. */
const MAX_STALE = 2;

/** The coordinator's API for runners. Every method sends one request, and rejects as the client does. */
export class CoordinatorLink {
  readonly #connections = new KeptConnections();
  readonly #client: HttpClient;
  readonly #status: ConnectionStatus;

  constructor({ url, token }: Address, status: ConnectionStatus) {
    this.#client = new HttpClient({
      url,
      token,
      timeoutMs: RESPONSE_MS,
      // Requests are repeated by `untilAnswered`, which knows the leases.
      retry: { attempts: 1 },
      // A response may contain a run.
      readsToEnd: true,
      stringify: (body) => storableJson(body, "the report"),
      fetch: this.#connections.fetch,
    });
    this.#status = status;
  }

  /** How many requests have been answered. */
  get answers(): number {
    return this.#status.answers;
  }

  /** How many requests have been accepted. */
  get accepted(): number {
    return this.#status.accepted;
  }

  /** Closes the kept connections. */
  close(): void {
    this.#connections.close();
  }

  async register(body: RegisterRequest, signal: AbortSignal): Promise<RegisterResponse> {
    return read(registerResponse, await this.#send("POST /runner/register", { body, signal }));
  }

  /** The next assignment, after waiting for one; `undefined` when there is none. */
  async nextOffer(
    runnerId: string,
    { waitSeconds, hasSlot, unstarted, isRetry }: Poll,
    signal: AbortSignal,
  ): Promise<Offer | undefined> {
    const first = { runner_id: runnerId, wait: waitSeconds, slots: hasSlot ? 1 : 0 };
    // A lost response may have contained a run. Where the ids would make the URL too long, the lease of that run has to expire.
    const isShort = unstarted.length <= MAX_UNSTARTED;
    const retry = isShort ? { ...first, unstarted: unstarted.join(",") } : first;
    const timeoutMs = waitSeconds * 1_000 + RESPONSE_MS;
    const query = isRetry ? retry : first;
    const response = await this.#send(
      "GET /runner/runs",
      { query, timeoutMs, signal },
      { query: retry, timeoutMs, signal },
    );
    return response === undefined ? undefined : readOffer(response);
  }

  async heartbeat(
    runnerId: string,
    proofs: readonly LeaseProof[],
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<HeartbeatResponse> {
    const runs = proofs.map(({ runId, leaseToken }) => ({ run_id: runId, lease_token: leaseToken }));
    const body = { runner_id: runnerId, runs };
    return read(heartbeatResponse, await this.#send("POST /runner/heartbeat", { body, timeoutMs, signal }));
  }

  /** Says that the runner ends because it was told to, so that it does not count as lost. */
  async leave(runnerId: string, timeoutMs: number): Promise<void> {
    const body = { runner_id: runnerId, runs: [], leaving: true as const };
    await this.#send("POST /runner/heartbeat", { body, timeoutMs });
  }

  async report(proof: LeaseProof, kind: ReportKind, facts: object, signal: AbortSignal): Promise<void> {
    await this.#send(`POST /runner/runs/{id}/${kind}`, { ...about(proof, facts), signal });
  }

  async reportEvents(
    proof: LeaseProof,
    first: number,
    events: readonly DatedEvent[],
    signal: AbortSignal,
  ): Promise<void> {
    const now = performance.now();
    const sent = events.map(({ type, data, at }) => ({
      event_type: type,
      data,
      ms_ago: Math.min(LONGEST_AGO_MS, Math.max(0, Math.round(now - at))),
    }));
    await this.#send("POST /runner/runs/{id}/events", { ...about(proof, { first, events: sent }), signal });
  }

  /** The conversation of the run's session before the run, page by page. */
  async readConversation(proof: LeaseProof, after: number, signal: AbortSignal): Promise<ConversationPage> {
    const page = await this.#send("GET /runner/runs/{id}/conversation", {
      ...reading(proof),
      query: { after },
      signal,
    });
    return read(conversationPage, page);
  }

  async addToConversation(
    proof: LeaseProof,
    first: number,
    entries: readonly ConversationEntry[],
    signal: AbortSignal,
  ): Promise<void> {
    await this.#send("POST /runner/runs/{id}/conversation", { ...about(proof, { first, entries }), signal });
  }

  async askAboutTool(
    proof: LeaseProof,
    question: ToolQuestion,
    waitSeconds: number,
    signal: AbortSignal,
  ): Promise<ToolCallResponse> {
    const response = await this.#send("POST /runner/runs/{id}/tool-calls", {
      ...about(proof, question),
      ...waiting(waitSeconds),
      signal,
    });
    return read(toolCallResponse, response);
  }

  /** A repeated request returns the same approval. */
  async requestApproval(
    proof: LeaseProof,
    question: ApprovalQuestion,
    signal: AbortSignal,
  ): Promise<ApprovalTicket> {
    const ticket = await this.#send("POST /runner/runs/{id}/approvals", {
      ...about(proof, question),
      signal,
    });
    return read(approvalTicket, ticket);
  }

  async readApproval(
    proof: LeaseProof,
    approvalId: string,
    waitSeconds: number,
    signal: AbortSignal,
  ): Promise<ApprovalResponse> {
    const { params, headers } = reading(proof);
    const response = await this.#send("GET /runner/runs/{id}/approvals/{approval_id}", {
      params: { ...params, approval_id: approvalId },
      headers,
      ...waiting(waitSeconds),
      signal,
    });
    return read(approvalResponse, response);
  }

  /** Sends a request; `retry` is sent instead of it over another connection when a kept one was closed meanwhile. */
  async #send<O extends OperationName>(
    operation: O,
    input: Input<O>,
    retry = input,
    stale = MAX_STALE,
  ): Promise<unknown> {
    try {
      // One argument suits every operation, which the compiler cannot know.
      const response = await this.#client.send(operation, ...([input] as unknown as InputArguments<O>));
      this.#status.connected(true);
      return response;
    } catch (error) {
      // Every request can be repeated, as it would be a moment later anyway. That is no sign that the coordinator is down.
      if (stale > 0 && !input.signal?.aborted && isStale(error)) {
        return this.#send(operation, retry, retry, stale - 1);
      }
      if (isRefusal(error)) this.#status.connected(false);
      else if (isNetworkFailure(error) && !input.signal?.aborted) this.#status.disconnected(error);
      throw error;
    }
  }
}

/** The path and the body of a report about a run. */
function about<F extends object>({ runId, leaseToken }: LeaseProof, facts: F) {
  return { params: { id: runId }, body: { lease_token: leaseToken, ...facts } as never };
}

/** The path and the headers of a request that reads something about a run. */
function reading({ runId, leaseToken }: LeaseProof) {
  return { params: { id: runId }, headers: { [LEASE_HEADER]: leaseToken } };
}

/** The query of a request for whose response the coordinator may wait. */
function waiting(wait: number) {
  return { query: { wait }, timeoutMs: wait * 1_000 + RESPONSE_MS };
}

/** A run that cannot be read is claimed all the same; it is reported instead of waiting for its lease to expire. */
function readOffer(response: unknown): Offer {
  const parsed = assignment.safeParse(response);
  if (parsed.success) return parsed.data;
  const { run_id, lease_token } = read(claimedRun, response).run;
  const problem = z.prettifyError(parsed.error);
  return { type: "unreadable", proof: { runId: run_id, leaseToken: lease_token }, problem };
}

/** A response that cannot be read is treated as a refusal: a retry would bring the same response. */
function read<T>(schema: z.ZodType<T>, response: unknown): T {
  const parsed = schema.safeParse(response);
  if (parsed.success) return parsed.data;
  const problem = z.prettifyError(parsed.error);
  throw new UnreadableResponse(`the coordinator's response cannot be read by this runner: ${problem}`);
}
