import type { NotBy } from "@tenterhook/protocol/internal";
import {
  type ApprovalAnswer,
  type ApprovalTicket,
  type Assignment,
  approvalAnswer,
  approvalTicket,
  assignment,
  type ConversationEntry,
  type ConversationPage,
  conversationPage,
  type HeartbeatAnswer,
  heartbeatAnswer,
  LEASE_HEADER,
  type RegisterAnswer,
  type RegisterRequest,
  registerAnswer,
  type ToolCallAnswer,
  toolCallAnswer,
} from "@tenterhook/protocol/runs";
import { z } from "zod";
import type { DatedEvent } from "../events/reported-event.ts";
import type { ConnectionStatus } from "./connection-status.ts";
import { type Address, type ApiRequest, HttpClient } from "./http-client.ts";
import { NetworkFailure, Refusal } from "./refusal.ts";

/** The timeout of a request that the coordinator answers at once. */
const ANSWER_MS = 10_000;

/** The greatest age of an event that the coordinator accepts. */
const LONGEST_AGO_MS = 86_400_000;

/** The most ids of one poll. */
const MAX_UNSTARTED = 200;

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

/** The coordinator's API for runners. Every method sends one request, and rejects as the HTTP client does. */
export class CoordinatorLink {
  readonly #client: HttpClient;
  readonly #status: ConnectionStatus;

  constructor(address: Address, status: ConnectionStatus) {
    this.#client = new HttpClient(address);
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
    this.#client.close();
  }

  async register(request: RegisterRequest, signal: AbortSignal): Promise<RegisterAnswer> {
    return read(registerAnswer, await this.#post("/runner/register", request, signal));
  }

  /** The next assignment, after waiting for one; `undefined` when there is none. */
  async nextOffer(
    runnerId: string,
    { waitSeconds, hasSlot, unstarted, isRetry }: Poll,
    signal: AbortSignal,
  ): Promise<Offer | undefined> {
    const asked = { runner_id: runnerId, wait: String(waitSeconds), slots: hasSlot ? "1" : "0" };
    const first = `/runner/runs?${new URLSearchParams(asked)}`;
    // A lost answer may have contained a run. Where the ids would make the URL too long, the lease of that run has to expire.
    const isShort = unstarted.length <= MAX_UNSTARTED;
    const retryPath = isShort ? `${first}&${new URLSearchParams({ unstarted: unstarted.join(",") })}` : first;
    const timeoutMs = waitSeconds * 1_000 + ANSWER_MS;
    const path = isRetry ? retryPath : first;
    const answer = await this.#send({ method: "GET", path, retryPath, timeoutMs, signal });
    return answer === undefined ? undefined : readOffer(answer);
  }

  async heartbeat(
    runnerId: string,
    proofs: readonly LeaseProof[],
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<HeartbeatAnswer> {
    const runs = proofs.map(({ runId, leaseToken }) => ({ run_id: runId, lease_token: leaseToken }));
    return read(
      heartbeatAnswer,
      await this.#post("/runner/heartbeat", { runner_id: runnerId, runs }, signal, timeoutMs),
    );
  }

  async report(proof: LeaseProof, kind: ReportKind, facts: object, signal: AbortSignal): Promise<void> {
    await this.#about(proof, kind, facts, signal);
  }

  async reportEvents(
    proof: LeaseProof,
    first: number,
    events: readonly DatedEvent[],
    signal: AbortSignal,
  ): Promise<void> {
    const now = performance.now();
    const wired = events.map(({ type, data, at }) => ({
      event_type: type,
      data,
      ms_ago: Math.min(LONGEST_AGO_MS, Math.max(0, Math.round(now - at))),
    }));
    await this.#about(proof, "events", { first, events: wired }, signal);
  }

  /** The conversation of the run's session before the run, page by page. */
  async readConversation(proof: LeaseProof, after: number, signal: AbortSignal): Promise<ConversationPage> {
    return read(conversationPage, await this.#get(proof, `conversation?after=${after}`, 0, signal));
  }

  async addToConversation(
    proof: LeaseProof,
    first: number,
    entries: readonly ConversationEntry[],
    signal: AbortSignal,
  ): Promise<void> {
    await this.#about(proof, "conversation", { first, entries }, signal);
  }

  async askAboutTool(
    proof: LeaseProof,
    question: ToolQuestion,
    waitSeconds: number,
    signal: AbortSignal,
  ): Promise<ToolCallAnswer> {
    const part = `tool-calls?wait=${waitSeconds}`;
    return read(
      toolCallAnswer,
      await this.#about(proof, part, question, signal, waitSeconds * 1_000 + ANSWER_MS),
    );
  }

  /** A repeated request returns the same approval. */
  async requestApproval(
    proof: LeaseProof,
    question: ApprovalQuestion,
    signal: AbortSignal,
  ): Promise<ApprovalTicket> {
    return read(approvalTicket, await this.#about(proof, "approvals", question, signal));
  }

  async readApproval(
    proof: LeaseProof,
    approvalId: string,
    waitSeconds: number,
    signal: AbortSignal,
  ): Promise<ApprovalAnswer> {
    const part = `approvals/${encodeURIComponent(approvalId)}?wait=${waitSeconds}`;
    return read(approvalAnswer, await this.#get(proof, part, waitSeconds, signal));
  }

  /** Reads something about a run, for which the coordinator may wait. */
  #get(
    { runId, leaseToken }: LeaseProof,
    part: string,
    waitSeconds: number,
    signal: AbortSignal,
  ): Promise<unknown> {
    const path = `/runner/runs/${encodeURIComponent(runId)}/${part}`;
    const headers = { [LEASE_HEADER]: leaseToken };
    const timeoutMs = waitSeconds * 1_000 + ANSWER_MS;
    return this.#send({ method: "GET", path, headers, timeoutMs, signal });
  }

  #about(
    { runId, leaseToken }: LeaseProof,
    part: string,
    facts: object,
    signal: AbortSignal,
    timeoutMs?: number,
  ): Promise<unknown> {
    const path = `/runner/runs/${encodeURIComponent(runId)}/${part}`;
    return this.#post(path, { lease_token: leaseToken, ...facts }, signal, timeoutMs);
  }

  #post(path: string, body: object, signal: AbortSignal, timeoutMs = ANSWER_MS): Promise<unknown> {
    return this.#send({ method: "POST", path, body, timeoutMs, signal });
  }

  async #send(request: ApiRequest): Promise<unknown> {
    try {
      const answer = await this.#client.send(request);
      this.#status.connected(true);
      return answer;
    } catch (error) {
      if (error instanceof Refusal) this.#status.connected(false);
      else if (error instanceof NetworkFailure && !request.signal.aborted) this.#status.disconnected(error);
      throw error;
    }
  }
}

/** A run that cannot be read is claimed all the same; it is reported instead of waiting for its lease to expire. */
function readOffer(answer: unknown): Offer {
  const parsed = assignment.safeParse(answer);
  if (parsed.success) return parsed.data;
  const { run_id, lease_token } = read(claimedRun, answer).run;
  const problem = z.prettifyError(parsed.error);
  return { type: "unreadable", proof: { runId: run_id, leaseToken: lease_token }, problem };
}

/** An answer that cannot be read is treated as a refusal: a retry would bring the same answer. */
function read<T>(schema: z.ZodType<T>, answer: unknown): T {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  const problem = z.prettifyError(parsed.error);
  throw new Refusal(
    200,
    "unreadable_answer",
    `the coordinator's answer cannot be read by this runner: ${problem}`,
  );
}
