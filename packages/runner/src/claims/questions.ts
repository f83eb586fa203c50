import { randomUUID } from "node:crypto";
import type { ApprovalDecision } from "@tenterhook/engine";
import type { ToolCallAnswer } from "@tenterhook/protocol/runs";
import type { ApprovalQuestion, CoordinatorLink, Hold, ToolQuestion } from "../link/coordinator-link.ts";
import { untilAnswered } from "../link/until-answered.ts";

/** How long the coordinator holds a question that is not decided yet. */
const WAIT_SECONDS = 20;

export type ToolVerdict = Exclude<ToolCallAnswer, { action: "wait" }>;

/**
 * What a run asks its coordinator before it goes on. Each question is asked until it is decided, through restarts of the
 * coordinator, and ends with the signal. They reject when there will be no decision; then nobody has said yes.
 */
export class Questions {
  readonly #link: CoordinatorLink;
  readonly #hold: Hold;
  readonly #asked = new Map<string, number>();

  constructor(link: CoordinatorLink, hold: Hold) {
    this.#link = link;
    this.#hold = hold;
  }

  /** What the run's `on_tool_call` hook says. */
  async askAboutTool(question: ToolQuestion, signal: AbortSignal): Promise<ToolVerdict> {
    const unique = { ...question, tool_use_id: this.#uniqueId(question.tool_use_id) };
    for (;;) {
      const answer = await untilAnswered(
        (each) => this.#link.askAboutTool(this.#hold, unique, WAIT_SECONDS, each),
        signal,
      );
      if (answer.action !== "wait") return answer;
    }
  }

  /** What a person decides. */
  async askPerson(question: Omit<ApprovalQuestion, "key">, signal: AbortSignal): Promise<ApprovalDecision> {
    const keyed = { ...question, key: randomUUID() };
    const ticket = await untilAnswered((each) => this.#link.requestApproval(this.#hold, keyed, each), signal);
    let { answer } = ticket;
    while (answer.type === "wait") {
      answer = await untilAnswered(
        (each) => this.#link.readApproval(this.#hold, ticket.approval_id, WAIT_SECONDS, each),
        signal,
      );
    }
    if (answer.type !== "reject") return answer;
    return { type: "reject", ...(answer.reason !== undefined && { reason: answer.reason }) };
  }

  /**
   * The coordinator answers the same call with the same verdict, and some models count their calls anew in every step:
   * the second call of a name must not be let through on the word about the first.
   */
  #uniqueId(toolUseId: string): string {
    const id = toolUseId.slice(0, MOST_ID) || "call";
    const count = (this.#asked.get(id) ?? 0) + 1;
    this.#asked.set(id, count);
    return count === 1 ? id : `${id}#${count}`;
  }
}

/** The coordinator takes 200 letters, of which the count may need some. */
const MOST_ID = 180;
