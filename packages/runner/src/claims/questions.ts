import { randomUUID } from "node:crypto";
import type { ApprovalDecision } from "@tenterhook/engine";
import type { ToolVerdict } from "../execute/task.ts";
import type {
  ApprovalQuestion,
  CoordinatorLink,
  LeaseProof,
  ToolQuestion,
} from "../link/coordinator-link.ts";
import { untilAnswered } from "../link/until-answered.ts";

/** How long the coordinator waits for the decision before it responds. */
const WAIT_SECONDS = 20;

/**
 * What a run asks its coordinator before it continues. Each question is asked until it is decided, through restarts of the
 * coordinator, and ends with the signal. They reject without a decision, which does not count as an approval.
 */
export class Questions {
  readonly #link: CoordinatorLink;
  readonly #proof: LeaseProof;
  readonly #asked = new Map<string, number>();

  constructor(link: CoordinatorLink, proof: LeaseProof) {
    this.#link = link;
    this.#proof = proof;
  }

  /** The verdict of the run's `on_tool_call` hook. */
  async askAboutTool(question: ToolQuestion, signal: AbortSignal): Promise<ToolVerdict> {
    const unique = { ...question, tool_use_id: this.#uniqueId(question.tool_use_id) };
    for (;;) {
      const answer = await untilAnswered(
        (each) => this.#link.askAboutTool(this.#proof, unique, WAIT_SECONDS, each),
        signal,
      );
      if (answer.action !== "wait") return answer;
    }
  }

  /** The decision of a person. */
  async askPerson(question: Omit<ApprovalQuestion, "key">, signal: AbortSignal): Promise<ApprovalDecision> {
    const keyed = { ...question, key: randomUUID() };
    const ticket = await untilAnswered(
      (each) => this.#link.requestApproval(this.#proof, keyed, each),
      signal,
    );
    let { answer } = ticket;
    while (answer.type === "wait") {
      answer = await untilAnswered(
        (each) => this.#link.readApproval(this.#proof, ticket.approval_id, WAIT_SECONDS, each),
        signal,
      );
    }
    if (answer.type !== "reject") return answer;
    return { type: "reject", ...(answer.reason !== undefined && { reason: answer.reason }) };
  }

  /**
   * The coordinator answers the same call with the same verdict, and some models number their calls anew in every step: the second
   * call with an id must not pass by the verdict about the first.
   */
  #uniqueId(toolUseId: string): string {
    const id = toolUseId.slice(0, MAX_ID) || "call";
    const count = (this.#asked.get(id) ?? 0) + 1;
    this.#asked.set(id, count);
    return count === 1 ? id : `${id}#${count}`;
  }
}

/** The coordinator takes 200 characters, of which the count may need some. */
const MAX_ID = 180;
