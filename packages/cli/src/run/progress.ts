import type { AgentEvent, HookAct, RunResult } from "@tenterhook/agent";
import { ownField, shortened } from "@tenterhook/internal";
import { EVENTS } from "@tenterhook/protocol";
import { count, duration, oneLine, plain, type Style } from "../terminal.ts";
import { actText, callText, failureText, STATUS_SIGNS } from "./event-text.ts";
import type { Screen } from "./screen.ts";

interface ProgressOptions {
  /** The depth of delegation. */
  readonly depth?: number;
  /** Whether the answer is streamed. Default: on a terminal. */
  readonly isAnswerShown?: boolean;
  /** Failures that were shown, so that each is shown once: a hook that is not trusted fails at every event. */
  readonly failures?: Set<string>;
}

/**
 * Shows the progress of a run. Lines go to standard error; the answer goes to standard output, on a terminal as it is streamed.
 * A program gets only the final answer, which is known when the run has ended: text before a tool call and discarded text are
 * not part of it.
 */
export class Progress {
  readonly #screen: Screen;
  readonly #depth: number;
  readonly #isAnswerShown: boolean;
  /** The texts of the calls of this step, by id. */
  readonly #calls = new Map<string, string>();
  readonly #subagents = new Map<string, Progress>();
  /** Reasons of hooks that were shown, so that each is shown once. */
  readonly #reasons = new Set<string>();
  readonly #failures: Set<string>;
  #isBufferingReported = false;

  constructor(screen: Screen, options: ProgressOptions = {}) {
    const { depth = 0, isAnswerShown = screen.isTerminal, failures = new Set() } = options;
    this.#failures = failures;
    this.#screen = screen;
    this.#depth = depth;
    this.#isAnswerShown = isAnswerShown;
  }

  /** Marks a reason that was shown elsewhere. */
  markReported(reason: string): void {
    this.#reasons.add(reason);
  }

  isReported(reason: string): boolean {
    return [...this.#reasons].some((shown) => reason.includes(shown));
  }

  report(event: AgentEvent): void {
    const { dim, yellow } = this.#screen.styles;
    switch (event.type) {
      case "run_start":
        if (this.#depth > 0) this.#screen.line(this.#clipped(`${event.agent}: ${event.message}`));
        break;
      case "step_start":
        this.#calls.clear();
        this.#screen.openLine(`step ${this.#depth}`, this.#clipped(`step ${event.step}`, dim));
        break;
      case "text_delta":
        if (this.#isAnswerShown) this.#screen.text(event.text);
        break;
      case "reasoning_delta":
      case "step_end":
        break;
      case "answer_buffered":
        if (!this.#isBufferingReported) this.#line(`  (${event.reason})`, dim);
        this.#isBufferingReported = true;
        break;
      case "answer_discarded":
        this.#line(`  (the text above was discarded: ${event.reason})`, dim);
        break;
      case "answer":
        this.#answer(event);
        break;
      case "tool_start":
        this.#calls.set(event.toolUseId, callText(event.toolName, event.toolInput));
        this.#screen.openLine(event.toolUseId, this.#clipped(`  → ${this.#calls.get(event.toolUseId)}`));
        break;
      case "tool_end":
        this.#toolEnd(event);
        break;
      case "hook_acted":
        this.#act(event.act);
        break;
      case "retry":
        this.#line(
          `  ↻ the model call failed and is retried in ${duration(event.delayMs)}: ${event.error}`,
          yellow,
        );
        break;
      case "compacted":
        this.#line(
          `  (conversation compacted: ${count(event.messagesBefore, "message")} became ${event.messagesAfter})`,
          dim,
        );
        break;
      case "subagent":
        this.#subagent(event.toolUseId).report(event.event);
        break;
      case "run_end":
        if (this.#depth === 0) this.#runEnd(event.run);
    }
  }

  /** Streamed text has been shown already; otherwise a line shows text before a tool call. */
  #answer({ text, toolUses }: AgentEvent & { type: "answer" }): void {
    for (const { id, name, input } of toolUses) this.#calls.set(id, callText(name, input));
    this.#screen.endText();
    const isIntermediate = this.#depth > 0 || toolUses.length > 0;
    if (!this.#isAnswerShown && isIntermediate && text.trim() !== "")
      this.#screen.line(this.#clipped(`  ${text.trim()}`));
  }

  #toolEnd(event: AgentEvent & { type: "tool_end" }): void {
    const { toolUseId, toolName, status, durationMs, reason } = event;
    const { green, yellow, red } = this.#screen.styles;
    const style = { completed: green, skipped: yellow, failed: red, blocked: red }[status];
    const how = status === "completed" ? duration(durationMs) : `${status} ${duration(durationMs)}`;
    const call = this.#calls.get(toolUseId) ?? callText(toolName, event.toolInput ?? {});
    // The status must stay visible, so the call is cut.
    const room = Math.max(20, this.#screen.width - this.#margin.length - how.length - 6);
    const line = `${this.#margin}  ${style(STATUS_SIGNS[status])} ${shortened(call, room)}  ${this.#screen.styles.dim(how)}`;
    this.#screen.settleLine(toolUseId, line);
    if (reason !== undefined && !this.isReported(reason)) this.#line(`    ${reason}`, red);
  }

  #act(act: HookAct): void {
    const { hook = "the host", reason, toolUseId } = act;
    const { yellow } = this.#screen.styles;
    if (act.failed) {
      this.#failure(act);
      return;
    }
    const about =
      (toolUseId === undefined ? undefined : this.#calls.get(toolUseId)) ??
      ownField(EVENTS, act.event)?.subject ??
      act.event;
    if (reason !== undefined) this.#reasons.add(reason);
    const did = actText(act, shortened(about, 60));
    this.#line(`  ! ${hook} ${did}${reason === undefined ? "" : `: ${reason}`}`, yellow);
  }

  #failure(act: Pick<HookAct, "hook" | "event" | "reason">): void {
    const failure = failureText(act);
    if (!this.#failures.has(failure)) this.#line(`  ! ${failure}`, this.#screen.styles.yellow);
    this.#failures.add(failure);
  }

  #runEnd(run: RunResult<unknown>): void {
    const { bold, dim, green, red, yellow } = this.#screen.styles;
    const { status, stepCount, durationMs, usage, reason, gateUnsatisfied } = run;
    const failedGate = run.acts.find(({ event, failed }) => failed && event === "before_stop");
    const completed = failedGate === undefined ? green : yellow;
    const style = { completed, stopped: yellow, failed: red }[status];
    const shown = gateUnsatisfied === undefined ? status : `${status}, ${gateUnsatisfied.code}`;
    const cost = `${count(stepCount, "step")}, ${duration(durationMs)}, ${usage.inputTokens} tokens in, ${usage.outputTokens} out`;
    this.#screen.endText();
    this.#screen.line(
      `${bold(style(shown))} ${dim(`(${cost})`)}${reason === undefined ? "" : `: ${oneLine(reason)}`}`,
    );
    if (gateUnsatisfied !== undefined && gateUnsatisfied.message !== reason)
      this.#screen.line(yellow(oneLine(gateUnsatisfied.message)));
    if (failedGate !== undefined && gateUnsatisfied === undefined)
      this.#screen.line(
        yellow(`the gate ${oneLine(failedGate.hook ?? "")} failed, and its on_error lets the agent stop`),
      );
  }

  #subagent(toolUseId: string): Progress {
    const known = this.#subagents.get(toolUseId);
    if (known !== undefined) return known;
    const progress = new Progress(this.#screen, {
      depth: this.#depth + 1,
      isAnswerShown: false,
      failures: this.#failures,
    });
    this.#subagents.set(toolUseId, progress);
    return progress;
  }

  /** A complete line: reasons, errors. */
  #line(text: string, style: Style = plain): void {
    this.#screen.line(`${this.#margin}${style(oneLine(text))}`);
  }

  /** A line that may be cut. */
  #clipped(text: string, style: Style = plain): string {
    const margin = this.#margin;
    return `${margin}${style(shortened(oneLine(text), this.#screen.width - margin.length))}`;
  }

  get #margin(): string {
    return "    ".repeat(this.#depth);
  }
}
