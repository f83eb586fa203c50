import { ownField } from "@tenterhook/internal";
import {
  isKnownEvent,
  type KnownRunEvent,
  type RunEvent,
  subagentEvent,
  tokensText,
} from "@tenterhook/protocol/runs";
import { countText } from "../../components/count-text.ts";
import { hookAct, stateOfAct } from "./hook-act.ts";
import { inputSummary } from "./input-summary.ts";
import type { HookAct, RowState, StepDetail, TimelineNode, ToolDetail } from "./timeline-row.ts";

interface Step extends TimelineNode {
  readonly detail: StepDetail;
}

interface Tool extends TimelineNode {
  readonly detail: ToolDetail;
}

type Ended = KnownRunEvent<"step_end" | "tool_end">;

const ROW_STATES: Readonly<Record<Ended["status"], RowState>> = {
  completed: "done",
  skipped: "skipped",
  failed: "failed",
  blocked: "blocked",
  stopped: "stopped",
};

/** The timeline of an agent: its steps, their tool calls, and their subagents. */
export class AgentTimeline {
  readonly #id: string;
  readonly #root: TimelineNode;
  readonly #steps = new Map<number, Step>();
  readonly #tools = new Map<string, Tool>();
  readonly #acts = new Map<string, { readonly act: HookAct; readonly node: TimelineNode }[]>();
  readonly #subagents = new Map<string, AgentTimeline>();
  #open = new Set<TimelineNode>();
  #current: Step | undefined;
  #count = 0;
  #ended: { readonly at: number; readonly state: RowState } | undefined;

  constructor(id: string, root: TimelineNode) {
    this.#id = id;
    this.#root = root;
  }

  add(event: RunEvent, at: number): void {
    if (!isKnownEvent(event)) return;
    switch (event.event_type) {
      case "step_start":
        this.#step(event, at);
        return;
      case "step_end":
        this.#endStep(event, at);
        return;
      case "text":
        this.#step(event, at).detail.text += event.text;
        return;
      case "reasoning":
        this.#step(event, at).detail.reasoning += event.text;
        return;
      case "answer_discarded": {
        const step = this.#step(event, at);
        step.detail.text = "";
        this.#note(step, "Answer discarded", event.reason, at, at);
        return;
      }
      case "tool_start":
        this.#startTool(event, at);
        return;
      case "tool_end":
        this.#endTool(event, at);
        return;
      case "hook_acted":
        this.#act(hookAct(event), event.tool_use_id, at);
        return;
      case "retry": {
        const label = `Model call retried, attempt ${event.attempt + 1}`;
        this.#note(this.#step(event, at), label, event.error, at, at + event.delay_ms);
        return;
      }
      case "compacted": {
        const { messages_before: before, messages_after: after } = event;
        this.#note(
          this.#here,
          "Conversation compacted",
          `${countText(before, "message")} became ${after}`,
          at,
          at,
        );
        return;
      }
      case "events_dropped": {
        const what = event.reason ?? countText(event.count, "event");
        this.#note(this.#here, "Events dropped", what, at, at);
        return;
      }
      case "subagent":
        this.#addSubagent(event, at);
    }
  }

  /** The tool call with an id, also one of a subagent. */
  tool(toolUseId: string): Tool | undefined {
    const own = this.#tools.get(toolUseId);
    if (own !== undefined) return own;
    for (const subagent of this.#subagents.values()) {
      const found = subagent.tool(toolUseId);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** A tool call of which only the hook is known so far, or which its hook blocked. */
  checkedTool(toolUseId: string, name: string, at: number): Tool {
    const known = this.tool(toolUseId);
    if (known !== undefined) return known;
    const tool = this.#addTool(toolUseId, name, this.#stepAt(at), at);
    if (this.#ended !== undefined) this.end(this.#ended.at, this.#ended.state);
    return tool;
  }

  /** Ends all rows that are still open. */
  end(at: number, state: RowState): void {
    this.#ended = { at, state };
    for (const node of this.#open) {
      node.to = Math.max(node.from, at);
      node.state = state;
    }
    this.#open = new Set();
    for (const subagent of this.#subagents.values()) subagent.end(at, state);
  }

  get #here(): TimelineNode {
    return this.#current ?? this.#root;
  }

  #step({ step: reported }: { readonly step?: number | undefined }, at: number): Step {
    const number = reported ?? this.#current?.detail.step ?? 1;
    const known = this.#steps.get(number);
    if (known !== undefined) return known;
    const detail: StepDetail = { type: "step", step: number, text: "", reasoning: "" };
    const step: Step = { ...this.#begin(`step-${number}`, `Step ${number}`, at), detail };
    this.#root.children.push(step);
    this.#open.add(step);
    this.#steps.set(number, step);
    this.#current = step;
    return step;
  }

  #endStep(event: KnownRunEvent<"step_end">, at: number): void {
    const step = this.#step(event, at);
    if (event.usage !== undefined) {
      step.detail.usage = event.usage;
      step.about = tokensText(event.usage);
    }
    this.#end(step, at, event);
  }

  #stepAt(at: number): TimelineNode {
    return [...this.#steps.values()].findLast(({ from }) => from <= at) ?? this.#root;
  }

  #end(node: TimelineNode, at: number, { status }: Ended): void {
    node.to = Math.max(node.from, at);
    node.state = ownField(ROW_STATES, status) ?? "unknown";
    this.#open.delete(node);
  }

  #startTool(event: KnownRunEvent<"tool_start">, at: number): void {
    const tool = this.#addTool(event.tool_use_id, event.tool_name, this.#step(event, at), at);
    tool.detail.input = event.tool_input;
    tool.about = inputSummary(event.tool_input);
    tool.started = at;
  }

  /** The duration counts from the model's request and includes its hooks; a blocked call has no start event. */
  #endTool(event: KnownRunEvent<"tool_end">, at: number): void {
    const { tool_use_id: id, tool_name } = event;
    const requested = at - event.duration_ms;
    const known = this.#tools.get(id);
    const isOpen = known !== undefined && known.to === null;
    const tool = isOpen ? known : this.#addTool(id, tool_name, this.#step(event, at), requested);
    tool.from = Math.min(tool.from, Math.max(requested, this.#step(event, at).from));
    tool.detail.reason = event.reason;
    if ("result" in event) tool.detail.result = event.result;
    this.#end(tool, at, event);
  }

  #addTool(id: string, name: string, parent: TimelineNode, at: number): Tool {
    const detail: ToolDetail = { type: "tool", toolUseId: id, input: undefined, acts: [] };
    const key = this.#tools.has(id) ? `tool-${id}-${++this.#count}` : `tool-${id}`;
    const tool: Tool = { ...this.#begin(key, name, at), detail };
    parent.children.push(tool);
    this.#open.add(tool);
    this.#tools.set(id, tool);
    for (const { act, node } of this.#acts.get(id) ?? []) addAct(tool, act, node);
    this.#acts.delete(id);
    return tool;
  }

  /** An act about a tool call belongs to its row; it is kept until the call starts. */
  #act(act: HookAct, toolUseId: string | undefined, at: number): void {
    const node = this.#actNode(act, at);
    if (toolUseId === undefined) {
      this.#here.children.push(node);
      return;
    }
    const tool = this.#tools.get(toolUseId);
    if (tool?.to === null) addAct(tool, act, node);
    else this.#acts.set(toolUseId, [...(this.#acts.get(toolUseId) ?? []), { act, node }]);
  }

  #actNode(act: HookAct, at: number): TimelineNode {
    const node = this.#begin(`act-${++this.#count}`, act.hook ?? "Permission", at);
    return { ...node, about: act.event, to: at, state: stateOfAct(act), detail: { type: "act", act } };
  }

  #note(parent: TimelineNode, label: string, text: string | undefined, from: number, to: number): void {
    const node = this.#begin(`note-${++this.#count}`, label, from);
    const detail = { type: "note", text: text ?? label } as const;
    parent.children.push({ ...node, about: text, to, state: "done", detail });
  }

  #addSubagent(event: KnownRunEvent<"subagent">, at: number): void {
    const { tool_use_id: id, subagent } = event;
    let timeline = this.#subagents.get(id);
    if (timeline === undefined) {
      const tool = this.#tools.get(id) ?? this.#addTool(id, "agent", this.#current ?? this.#root, at);
      tool.about = subagent;
      timeline = new AgentTimeline(tool.id, tool);
      this.#subagents.set(id, timeline);
    }
    timeline.add(subagentEvent(event), at);
  }

  #begin(key: string, label: string, at: number) {
    const id = `${this.#id}/${key}`;
    return { id, label, from: at, to: null, state: "in_progress", children: [] } as Omit<
      TimelineNode,
      "detail"
    >;
  }
}

/** The run hook on_tool_call already has a row with more details. */
function addAct(tool: Tool, act: HookAct, node: TimelineNode): void {
  tool.detail.acts.push(act);
  if (act.hook !== "on_tool_call") tool.children.push(node);
}
