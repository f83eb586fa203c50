import type { HookAct, Run, RunEvent } from "@tenterhook/agent";
import { eventRow } from "@tenterhook/protocol";
import { count, duration, oneLine, type Style } from "../terminal.ts";
import { actText, callText, clipped, failureText, STATUS_SIGNS } from "./event-text.ts";
import type { Screen } from "./screen.ts";

interface ProgressOptions {
  /** How many agents have delegated to each other above this one. */
  readonly depth?: number;
  /** Whether the answer is shown as it is written. Default: when a person reads it. */
  readonly isAnswerShown?: boolean;
  /** Which hooks failed, and how, so that it is told once: a hook that is not trusted would be told at every event. */
  readonly failures?: Set<string>;
}

/**
 * Tells a person what a run does while it does it. Lines go to standard error; the answer goes to standard output, on a
 * terminal as it is written. A program that reads it gets the final answer only, which is known when the run has ended: what
 * was said before a tool call, or does not count after all, must not be taken for it.
 */
export class Progress {
  readonly #screen: Screen;
  readonly #depth: number;
  readonly #isAnswerShown: boolean;
  /** What the calls of this step are about, by id. */
  readonly #calls = new Map<string, string>();
  readonly #subagents = new Map<string, Progress>();
  /** Why hooks acted, so that it is told once. */
  readonly #reasons = new Set<string>();
  readonly #failures: Set<string>;
  #isBufferingReported = false;

  constructor(screen: Screen, options: ProgressOptions = {}) {
    const { depth = 0, isAnswerShown = screen.isRead, failures = new Set() } = options;
    this.#failures = failures;
    this.#screen = screen;
    this.#depth = depth;
    this.#isAnswerShown = isAnswerShown;
  }

  /** Notes a reason that was told elsewhere, so that it is not told again. */
  markReported(reason: string): void {
    this.#reasons.add(reason);
  }

  isReported(reason: string): boolean {
    return [...this.#reasons].some((told) => reason.includes(told));
  }

  tell(event: RunEvent): void {
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
        this.#line(`  (what was shown does not count: ${event.reason})`, dim);
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
          `  ↻ the model call failed and is made again in ${duration(event.delayMs)}: ${event.error}`,
          yellow,
        );
        break;
      case "compacted":
        this.#line(
          `  (the conversation was summed up: ${count(event.messagesBefore, "message")} became ${event.messagesAfter})`,
          dim,
        );
        break;
      case "subagent":
        this.#subagent(event.toolUseId).tell(event.event);
        break;
      case "run_end":
        if (this.#depth === 0) this.#runEnd(event.run);
    }
  }

  /** The text has been shown if a person reads it as it comes; otherwise a line tells what was said on the way. */
  #answer({ text, toolUses }: RunEvent & { type: "answer" }): void {
    for (const { id, name, input } of toolUses) this.#calls.set(id, callText(name, input));
    this.#screen.endText();
    const isIntermediate = this.#depth > 0 || toolUses.length > 0;
    if (!this.#isAnswerShown && isIntermediate && text.trim() !== "")
      this.#screen.line(this.#clipped(`  ${text.trim()}`));
  }

  #toolEnd(event: RunEvent & { type: "tool_end" }): void {
    const { toolUseId, toolName, status, durationMs, reason } = event;
    const { green, yellow, red } = this.#screen.styles;
    const style = { completed: green, skipped: yellow, failed: red, blocked: red }[status];
    const how = status === "completed" ? duration(durationMs) : `${status} ${duration(durationMs)}`;
    const call = this.#calls.get(toolUseId) ?? callText(toolName, event.toolInput ?? {});
    // What comes behind must be seen, so it is the call that is cut.
    const room = Math.max(20, this.#screen.width - this.#margin.length - how.length - 6);
    const line = `${this.#margin}  ${style(STATUS_SIGNS[status])} ${clipped(call, room)}  ${this.#screen.styles.dim(how)}`;
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
      (toolUseId === undefined ? undefined : this.#calls.get(toolUseId)) ?? eventRow(act.event).subject;
    if (reason !== undefined) this.#reasons.add(reason);
    const did = actText(act, clipped(about, 60));
    this.#line(`  ! ${hook} ${did}${reason === undefined ? "" : `: ${reason}`}`, yellow);
  }

  #failure(act: Pick<HookAct, "hook" | "event" | "reason">): void {
    const failure = failureText(act);
    if (!this.#failures.has(failure)) this.#line(`  ! ${failure}`, this.#screen.styles.yellow);
    this.#failures.add(failure);
  }

  #runEnd(run: Run<unknown>): void {
    const { bold, dim, green, red, yellow } = this.#screen.styles;
    const { status, stepCount, durationMs, usage, reason, gateUnsatisfied } = run;
    const unjudged = run.acts.find(({ event, failed }) => failed && event === "before_stop");
    const completed = unjudged === undefined ? green : yellow;
    const style = { completed, stopped: yellow, failed: red }[status];
    const shown = gateUnsatisfied === undefined ? status : `${status}, ${gateUnsatisfied.code}`;
    const cost = `${count(stepCount, "step")}, ${duration(durationMs)}, ${usage.inputTokens} tokens in, ${usage.outputTokens} out`;
    this.#screen.endText();
    this.#screen.line(
      `${bold(style(shown))} ${dim(`(${cost})`)}${reason === undefined ? "" : `: ${oneLine(reason)}`}`,
    );
    if (gateUnsatisfied !== undefined && gateUnsatisfied.message !== reason)
      this.#screen.line(yellow(oneLine(gateUnsatisfied.message)));
    if (unjudged !== undefined && gateUnsatisfied === undefined)
      this.#screen.line(
        yellow(
          `the gate ${oneLine(unjudged.hook ?? "")} did not judge: it failed, and its on_error lets the agent stop`,
        ),
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

  /** A line that must be read to its end: reasons, errors. */
  #line(text: string, style: Style = plain): void {
    this.#screen.line(`${this.#margin}${style(oneLine(text))}`);
  }

  /** A line of which the beginning says enough. */
  #clipped(text: string, style: Style = plain): string {
    const margin = this.#margin;
    return `${margin}${style(clipped(oneLine(text), this.#screen.width - margin.length))}`;
  }

  get #margin(): string {
    return "    ".repeat(this.#depth);
  }
}

function plain(text: string): string {
  return text;
}
