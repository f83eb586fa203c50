import type { AgentEvent, HookAct } from "@tenterhook/agent";
import { shortened, typedCommand } from "@tenterhook/internal";
import { WOULD_HAVE } from "@tenterhook/protocol";
import { isKnownEvent } from "@tenterhook/protocol/run-events";
import type { KnownRunEvent, RunEvent, RunEventType } from "@tenterhook/protocol/runs";
import { Progress } from "../run/progress.ts";
import type { Screen } from "../run/screen.ts";
import { duration, oneLine, plain, type Style } from "../terminal.ts";
import { agentEvent } from "./agent-event.ts";

/** What a run waits for after an event; shown with the time it has waited. */
const WAITING_FOR: Readonly<Partial<Record<RunEventType, string>>> = {
  run_created: "waiting for a runner",
  run_preparing: "running its start hook",
  run_ready: "waiting for a runner",
  run_claimed: "claimed by a runner",
  run_started: "running",
  run_stopping: "stopping",
  run_finishing: "running its hooks",
  run_retried: "retrying",
  run_released: "released by its runner",
};

type HookEvent = KnownRunEvent<
  "hook_start" | "hook_complete" | "hook_blocked" | "hook_failed" | "hook_timeout"
>;

/** The prefix of the message of a hook's failure. */
const FAILURE = /^hook "([^"]*)" on (\w+): /;

/** Shows the progress of a run of a coordinator. The result is printed to standard output at the end. */
export class RunProgress {
  readonly #screen: Screen;
  readonly #agent: Progress;
  /** The text of the current step, until the step calls a tool or ends. */
  #text = "";
  /** The calls whose tool and input are known. */
  readonly #calls = new Set<string>();
  /** Acts of hooks about calls that are not known yet. */
  readonly #acts = new Map<string, readonly AgentEvent[]>();

  constructor(screen: Screen) {
    this.#screen = screen;
    this.#agent = new Progress(screen, { isAnswerShown: false });
  }

  /** Whether a hook's reason has been shown. */
  isReported(reason: string): boolean {
    return this.#agent.isReported(reason);
  }

  report(event: RunEvent): void {
    if (!isKnownEvent(event)) return;
    const waits = WAITING_FOR[event.event_type];
    if (waits !== undefined) {
      this.#screen.openLine("state", this.#screen.styles.dim(waits), { isTransient: true });
      return;
    }
    switch (event.event_type) {
      case "hook_start":
      case "hook_complete":
      case "hook_blocked":
      case "hook_failed":
      case "hook_timeout":
        this.#hook(event);
        break;
      case "hook_waiting":
        this.#line(
          `  hook waiting: ${event.hook_type} ${event.target_name}: ${event.detail}`,
          this.#screen.styles.dim,
        );
        break;
      case "approval_requested":
        this.#approval(event);
        break;
      case "approval_decided":
        this.#line(
          event.decision === "cancel"
            ? `  the approval was cancelled: ${event.reason}`
            : event.decided_by === undefined
              ? `  approval: ${event.decision}`
              : `  approval by ${event.decided_by}: ${event.decision}`,
        );
        break;
      case "log":
        if (event.source === "hooks" && FAILURE.test(event.text)) this.#failure(event.text);
        else this.#line(`  │ ${event.text}`, this.#screen.styles.dim);
        break;
      default:
        this.#reportAgentEvent(event);
    }
  }

  /** A runner logs every failure of a hook, and also reports it as an event of the agent. */
  #failure(text: string): void {
    const [, hook, event] = FAILURE.exec(text) ?? [];
    const act = {
      hook,
      event: event as HookAct["event"],
      action: "go_on",
      reason: text,
      failed: true,
    } as const;
    this.#agent.report({ type: "hook_acted", act });
  }

  #hook(event: HookEvent): void {
    const { green, red, yellow } = this.#screen.styles;
    const { hook_id: hookId, hook_type, target_name = "" } = event;
    const name = shortened(oneLine(`${hook_type} ${target_name}`), this.#screen.width - 8);
    const durationMs = event.event_type === "hook_start" ? undefined : event.duration_ms;
    const took = durationMs === undefined ? "" : `  ${duration(durationMs)}`;
    switch (event.event_type) {
      case "hook_start":
        if (hook_type === "on_tool_call") this.#reportText();
        this.#screen.openLine(hookId, `  → ${name}`);
        break;
      case "hook_complete":
        // The next event reports the block with its reason.
        if (event.not_enforced !== undefined) {
          const why = event.reason === undefined ? "" : `: ${oneLine(event.reason)}`;
          const would = WOULD_HAVE[event.not_enforced];
          this.#screen.settleLine(hookId, `  ${yellow("!")} ${name}${took} ${would}${why}`);
        } else if (event.action !== "block")
          this.#screen.settleLine(hookId, `  ${green("✓")} ${name}${took}`);
        break;
      case "hook_blocked":
        this.#agent.markReported(event.block_reason);
        this.#screen.settleLine(hookId, `  ${red("⊘")} ${name}${took}: ${oneLine(event.block_reason)}`);
        break;
      case "hook_failed":
        this.#agent.markReported(event.error);
        this.#screen.settleLine(hookId, `  ${red("✗")} ${name}${took}: ${oneLine(event.error)}`);
        break;
      default:
        this.#line(`  ${event.event_type.replace("_", " ")}: ${name}`, yellow);
    }
  }

  #approval({ reason, approval_id }: KnownRunEvent<"approval_requested">): void {
    const { yellow } = this.#screen.styles;
    this.#line(`  ? approval required: ${reason}`, yellow);
    this.#screen.openLine("state", `    ${typedCommand()} approvals approve ${approval_id}   (or reject)`);
  }

  /** Only text before a tool call is shown; the final answer is printed at the end. */
  #reportAgentEvent(event: KnownRunEvent): void {
    const reported = agentEvent(event);
    if (reported === undefined) return;
    if (reported.type === "text_delta") this.#text += reported.text;
    if (reported.type === "step_start") this.#text = "";
    if (reported.type === "tool_start" || reported.type === "tool_end") this.#call(reported);
    if (reported.type === "step_end") for (const id of this.#acts.keys()) this.#reportActs(id);
    if (reported.type === "hook_acted") this.#act(reported);
    else this.#agent.report(reported);
  }

  /** An act about a call is shown after the next event of the call, which names tool and input. */
  #act(reported: AgentEvent & { type: "hook_acted" }): void {
    const { hook, action, toolUseId } = reported.act;
    // The run hook has been shown already.
    if (hook === "on_tool_call" && action === "refuse") return;
    if (toolUseId === undefined || this.#calls.has(toolUseId)) this.#agent.report(reported);
    else this.#acts.set(toolUseId, [...(this.#acts.get(toolUseId) ?? []), reported]);
  }

  #call({
    step,
    toolUseId: id,
    toolName: name,
    toolInput,
  }: AgentEvent & { type: "tool_start" | "tool_end" }): void {
    this.#reportText();
    if (!this.#calls.has(id)) {
      // Names the call without showing anything.
      const toolUses = [{ id, name, input: { ...toolInput } }];
      this.#agent.report({ type: "answer", step, text: "", toolUses });
    }
    this.#calls.add(id);
    this.#reportActs(id);
  }

  #reportActs(toolUseId: string): void {
    for (const act of this.#acts.get(toolUseId) ?? []) this.#agent.report(act);
    this.#acts.delete(toolUseId);
  }

  #reportText(): void {
    if (this.#text.trim() !== "")
      this.#screen.line(shortened(oneLine(`  ${this.#text.trim()}`), this.#screen.width));
    this.#text = "";
  }

  #line(text: string, style: Style = plain): void {
    this.#screen.line(style(oneLine(text)));
  }
}
