import type { RunEvent as AgentEvent, HookAct } from "@tenterhook/agent";
import { isKnownEvent } from "@tenterhook/protocol/run-events";
import type { KnownRunEvent, RunEvent, RunEventType } from "@tenterhook/protocol/runs";
import { clipped } from "../run/event-text.ts";
import { Progress } from "../run/progress.ts";
import type { Screen } from "../run/screen.ts";
import { duration, oneLine, type Style } from "../terminal.ts";
import { agentEvent } from "./agent-event.ts";

/** What a run waits for after an event of these; shown with how long it has. */
const WAITING_FOR: Readonly<Partial<Record<RunEventType, string>>> = {
  run_created: "waiting for a runner",
  run_preparing: "its start hook comes first",
  run_ready: "waiting for a runner",
  run_claimed: "claimed by a runner",
  run_started: "running",
  run_stopping: "stopping",
  run_finishing: "waiting for its hooks",
  run_retried: "it is tried again",
  run_released: "its runner gave it back",
};

type HookEvent = KnownRunEvent<
  "hook_start" | "hook_complete" | "hook_blocked" | "hook_failed" | "hook_timeout"
>;

/** How the message of a hook's failure begins. */
const FAILURE = /^hook "([^"]*)" on (\w+): /;

/** Tells a person what happens to a run of a coordinator while they wait. What comes of it is for standard output, in the end. */
export class RunProgress {
  readonly #screen: Screen;
  readonly #agent: Progress;
  /** What the agent has said in this step, until it is known whether that was all. */
  #said = "";
  /** The calls that it is known of what they are about. */
  readonly #calls = new Set<string>();
  /** What hooks did to calls of which that is not known yet. */
  readonly #acts = new Map<string, readonly AgentEvent[]>();

  constructor(screen: Screen) {
    this.#screen = screen;
    this.#agent = new Progress(screen, { isAnswerShown: false });
  }

  /** Whether a hook's reason has been told. */
  isReported(reason: string): boolean {
    return this.#agent.isReported(reason);
  }

  tell(event: RunEvent): void {
    if (!isKnownEvent(event)) return;
    const waits = WAITING_FOR[event.event_type];
    if (waits !== undefined) {
      this.#screen.openLine("state", this.#screen.styles.dim(waits), { isPassing: true });
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
      case "approval_requested":
        this.#approval(event);
        break;
      case "approval_decided":
        this.#line(
          event.decision === "cancel"
            ? `  the question was cancelled: ${event.reason}`
            : `  ${event.decided_by ?? "nobody"} decided: ${event.decision}`,
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

  /** A runner logs every failure of a hook, and reports it as an event of the agent, too. */
  #failure(text: string): void {
    const [, hook, event] = FAILURE.exec(text) ?? [];
    const act = {
      hook,
      event: event as HookAct["event"],
      action: "go_on",
      reason: text,
      failed: true,
    } as const;
    this.#agent.tell({ type: "hook_acted", act });
  }

  #hook(event: HookEvent): void {
    const { green, red, yellow } = this.#screen.styles;
    const { hook_id: hookId, hook_type, target_name = "" } = event;
    const who = clipped(oneLine(`${hook_type} ${target_name}`), this.#screen.width - 8);
    const durationMs = event.event_type === "hook_start" ? undefined : event.duration_ms;
    const took = durationMs === undefined ? "" : `  ${duration(durationMs)}`;
    switch (event.event_type) {
      case "hook_start":
        if (hook_type === "on_tool_call") this.#reportText();
        this.#screen.openLine(hookId, `  → ${who}`);
        break;
      case "hook_complete":
        // That it blocked is told, with the reason, by the event that follows.
        if (event.action !== "block") this.#screen.settleLine(hookId, `  ${green("✓")} ${who}${took}`);
        break;
      case "hook_blocked":
        this.#agent.markReported(event.block_reason);
        this.#screen.settleLine(hookId, `  ${red("⊘")} ${who}${took}: ${oneLine(event.block_reason)}`);
        break;
      case "hook_failed":
        this.#agent.markReported(event.error);
        this.#screen.settleLine(hookId, `  ${red("✗")} ${who}${took}: ${oneLine(event.error)}`);
        break;
      default:
        this.#line(`  ${event.event_type.replace("_", " ")}: ${who}`, yellow);
    }
  }

  #approval({ reason, approval_id }: KnownRunEvent<"approval_requested">): void {
    const { yellow } = this.#screen.styles;
    this.#line(`  ? a person must decide: ${reason}`, yellow);
    this.#screen.openLine("state", `    tenterhook approvals approve ${approval_id}   (or reject)`);
  }

  /** Answers are not told as such: a text that a tool call follows was said on the way. */
  #reportAgentEvent(event: KnownRunEvent): void {
    const told = agentEvent(event);
    if (told === undefined) return;
    if (told.type === "text_delta") this.#said += told.text;
    if (told.type === "step_start") this.#said = "";
    if (told.type === "tool_start" || told.type === "tool_end") this.#call(told);
    if (told.type === "step_end") for (const id of this.#acts.keys()) this.#reportActs(id);
    if (told.type === "hook_acted") this.#act(told);
    else this.#agent.tell(told);
  }

  /** What a hook did to a call is told when it is known what the call is, which the next event of the call says. */
  #act(told: AgentEvent & { type: "hook_acted" }): void {
    const { hook, action, toolUseId } = told.act;
    // The coordinator's own hook has been told of as such.
    if (hook === "on_tool_call" && action === "refuse") return;
    if (toolUseId === undefined || this.#calls.has(toolUseId)) this.#agent.tell(told);
    else this.#acts.set(toolUseId, [...(this.#acts.get(toolUseId) ?? []), told]);
  }

  #call({
    step,
    toolUseId: id,
    toolName: name,
    toolInput,
  }: AgentEvent & { type: "tool_start" | "tool_end" }): void {
    this.#reportText();
    if (!this.#calls.has(id)) {
      // Says what the call is about, and shows nothing.
      const toolUses = [{ id, name, input: { ...toolInput } }];
      this.#agent.tell({ type: "answer", step, text: "", toolUses });
    }
    this.#calls.add(id);
    this.#reportActs(id);
  }

  #reportActs(toolUseId: string): void {
    for (const act of this.#acts.get(toolUseId) ?? []) this.#agent.tell(act);
    this.#acts.delete(toolUseId);
  }

  #reportText(): void {
    if (this.#said.trim() !== "")
      this.#screen.line(clipped(oneLine(`  ${this.#said.trim()}`), this.#screen.width));
    this.#said = "";
  }

  #line(text: string, style: Style = (plain) => plain): void {
    this.#screen.line(style(oneLine(text)));
  }
}
