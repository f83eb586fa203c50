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
import { type Address, Line, type Question } from "./line.ts";
import type { Presence } from "./presence.ts";
import { NetworkFailure, Refusal } from "./refusal.ts";

/** How long an answer may take that nothing is waited for. */
const ANSWER_MS = 10_000;

/** As long ago as the coordinator lets an event have happened. */
const LONGEST_AGO_MS = 86_400_000;

/** The most ids of one poll. */
const MOST_UNSTARTED = 200;

/** A run by its id, and the proof that it is ours. */
export interface Hold {
  readonly runId: string;
  readonly leaseToken: string;
}

/** An assignment, also one from a coordinator that says more than this runner understands. */
export type Offer =
  | Assignment
  | { readonly type: "unreadable"; readonly hold: Hold; readonly problem: string };

/** How a runner asks for something to do. */
export interface Poll {
  /** How long the coordinator may hold it. */
  readonly waitSeconds: number;
  readonly hasSlot: boolean;
  /** Ids of the runs that the runner has and whose start the coordinator has not answered. */
  readonly unstarted: readonly string[];
  /** The one before it was not answered. */
  readonly isAgain: boolean;
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
  readonly subject: Readonly<Record<string, unknown>>;
}

const heldInside = z.object({ run: z.object({ run_id: z.string(), lease_token: z.string() }) });

/** What a runner says to its coordinator. Every call asks once, and rejects as the line does. */
export class CoordinatorLink {
  readonly #line: Line;
  readonly #presence: Presence;

  constructor(address: Address, presence: Presence) {
    this.#line = new Line(address);
    this.#presence = presence;
  }

  /** How many questions have been answered. */
  get answers(): number {
    return this.#presence.answers;
  }

  /** Closes the connections that are kept. */
  close(): void {
    this.#line.close();
  }

  async register(request: RegisterRequest, signal: AbortSignal): Promise<RegisterAnswer> {
    return read(registerAnswer, await this.#post("/runner/register", request, signal));
  }

  /** The next thing to do, after waiting for one; `undefined` when there is none. */
  async nextOffer(
    runnerId: string,
    { waitSeconds, hasSlot, unstarted, isAgain }: Poll,
    signal: AbortSignal,
  ): Promise<Offer | undefined> {
    const asked = { runner_id: runnerId, wait: String(waitSeconds), slots: hasSlot ? "1" : "0" };
    const first = `/runner/runs?${new URLSearchParams(asked)}`;
    // An answer that was lost may have had a run in it. What would make the address too long waits for its lease to end.
    const isShort = unstarted.length <= MOST_UNSTARTED;
    const pathAgain = isShort ? `${first}&${new URLSearchParams({ unstarted: unstarted.join(",") })}` : first;
    const timeoutMs = waitSeconds * 1_000 + ANSWER_MS;
    const path = isAgain ? pathAgain : first;
    const answer = await this.#ask({ method: "GET", path, pathAgain, timeoutMs, signal });
    return answer === undefined ? undefined : readOffer(answer);
  }

  async heartbeat(
    runnerId: string,
    holds: readonly Hold[],
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<HeartbeatAnswer> {
    const runs = holds.map(({ runId, leaseToken }) => ({ run_id: runId, lease_token: leaseToken }));
    return read(
      heartbeatAnswer,
      await this.#post("/runner/heartbeat", { runner_id: runnerId, runs }, signal, timeoutMs),
    );
  }

  async report(hold: Hold, kind: ReportKind, facts: object, signal: AbortSignal): Promise<void> {
    await this.#about(hold, kind, facts, signal);
  }

  async reportEvents(
    hold: Hold,
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
    await this.#about(hold, "events", { first, events: wired }, signal);
  }

  /** What was said in the run's session before it, page by page. */
  async readConversation(
    { runId, leaseToken }: Hold,
    after: number,
    signal: AbortSignal,
  ): Promise<ConversationPage> {
    const path = `/runner/runs/${encodeURIComponent(runId)}/conversation?after=${after}`;
    const headers = { [LEASE_HEADER]: leaseToken };
    const question = { method: "GET", path, headers, timeoutMs: ANSWER_MS, signal } as const;
    return read(conversationPage, await this.#ask(question));
  }

  async addToConversation(
    hold: Hold,
    first: number,
    entries: readonly ConversationEntry[],
    signal: AbortSignal,
  ): Promise<void> {
    await this.#about(hold, "conversation", { first, entries }, signal);
  }

  async askAboutTool(
    hold: Hold,
    question: ToolQuestion,
    waitSeconds: number,
    signal: AbortSignal,
  ): Promise<ToolCallAnswer> {
    const part = `tool-calls?wait=${waitSeconds}`;
    return read(
      toolCallAnswer,
      await this.#about(hold, part, question, signal, waitSeconds * 1_000 + ANSWER_MS),
    );
  }

  /** The approval is the same one when the question has been asked before. */
  async requestApproval(
    hold: Hold,
    question: ApprovalQuestion,
    signal: AbortSignal,
  ): Promise<ApprovalTicket> {
    return read(approvalTicket, await this.#about(hold, "approvals", question, signal));
  }

  async readApproval(
    { runId, leaseToken }: Hold,
    approvalId: string,
    waitSeconds: number,
    signal: AbortSignal,
  ): Promise<ApprovalAnswer> {
    const path = `/runner/runs/${encodeURIComponent(runId)}/approvals/${encodeURIComponent(approvalId)}?wait=${waitSeconds}`;
    const timeoutMs = waitSeconds * 1_000 + ANSWER_MS;
    const headers = { [LEASE_HEADER]: leaseToken };
    return read(approvalAnswer, await this.#ask({ method: "GET", path, headers, timeoutMs, signal }));
  }

  #about(
    { runId, leaseToken }: Hold,
    part: string,
    facts: object,
    signal: AbortSignal,
    timeoutMs?: number,
  ): Promise<unknown> {
    const path = `/runner/runs/${encodeURIComponent(runId)}/${part}`;
    return this.#post(path, { lease_token: leaseToken, ...facts }, signal, timeoutMs);
  }

  #post(path: string, body: object, signal: AbortSignal, timeoutMs = ANSWER_MS): Promise<unknown> {
    return this.#ask({ method: "POST", path, body, timeoutMs, signal });
  }

  async #ask(question: Question): Promise<unknown> {
    try {
      const answer = await this.#line.ask(question);
      this.#presence.isHere();
      return answer;
    } catch (error) {
      if (error instanceof Refusal) this.#presence.isHere();
      else if (error instanceof NetworkFailure && !question.signal.aborted) this.#presence.isAway(error);
      throw error;
    }
  }
}

/** A run that cannot be read was claimed all the same, and must not wait for its lease to end. */
function readOffer(answer: unknown): Offer {
  const parsed = assignment.safeParse(answer);
  if (parsed.success) return parsed.data;
  const { run_id, lease_token } = read(heldInside, answer).run;
  const problem = z.prettifyError(parsed.error);
  return { type: "unreadable", hold: { runId: run_id, leaseToken: lease_token }, problem };
}

/** An answer that cannot be read is no better than a refusal: asking again would bring the same. */
function read<T>(schema: z.ZodType<T>, answer: unknown): T {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  const problem = z.prettifyError(parsed.error);
  throw new Refusal(
    200,
    "unreadable_answer",
    `the coordinator answered what this runner cannot read: ${problem}`,
  );
}
