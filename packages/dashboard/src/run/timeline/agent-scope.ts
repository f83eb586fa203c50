import { isKnownEvent, type KnownRunEvent, type RunEvent, subagentEvent } from "@tenterhook/protocol/runs";
import { firstWords } from "./first-words.ts";
import { hookAct, outcomeOfAct } from "./hook-act.ts";
import type { HookAct, Outcome, StepDetail, TimelineNode, ToolDetail } from "./timeline-row.ts";

interface Step extends TimelineNode {
  readonly detail: StepDetail;
}

interface Tool extends TimelineNode {
  readonly detail: ToolDetail;
}

type Ended = KnownRunEvent<"step_end" | "tool_end">;

const OUTCOMES: Readonly<Record<Ended["status"], Outcome>> = {
  completed: "done",
  skipped: "skipped",
  failed: "failed",
  blocked: "blocked",
  stopped: "stopped",
};

/** What an agent does: its steps, their tool calls, and the agents that those call. */
export class AgentScope {
  readonly #id: string;
  readonly #root: TimelineNode;
  readonly #steps = new Map<number, Step>();
  readonly #tools = new Map<string, Tool>();
  readonly #acts = new Map<string, { readonly act: HookAct; readonly node: TimelineNode }[]>();
  readonly #subagents = new Map<string, AgentScope>();
  #open = new Set<TimelineNode>();
  #current: Step | undefined;
  #count = 0;
  #ended: { readonly at: number; readonly outcome: Outcome } | undefined;

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
        this.#end(this.#step(event, at), at, event);
        return;
      case "text":
        this.#step(event, at).detail.said += event.text;
        return;
      case "reasoning":
        this.#step(event, at).detail.reasoning += event.text;
        return;
      case "answer_discarded": {
        const step = this.#step(event, at);
        step.detail.said = "";
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
        const again = `Model call again, try ${event.attempt + 1}`;
        this.#note(this.#step(event, at), again, event.error, at, at + event.delay_ms);
        return;
      }
      case "compacted": {
        const { messages_before: before, messages_after: after } = event;
        this.#note(this.#here, "Conversation shortened", `${before} messages became ${after}`, at, at);
        return;
      }
      case "events_dropped":
        this.#note(this.#here, "Events were dropped", `${event.count} of them`, at, at);
        return;
      case "subagent":
        this.#addSubagent(event, at);
    }
  }

  /** The tool call with an id, also one of an agent that this one called. */
  tool(toolUseId: string): Tool | undefined {
    const own = this.#tools.get(toolUseId);
    if (own !== undefined) return own;
    for (const scope of this.#subagents.values()) {
      const found = scope.tool(toolUseId);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** A tool call of which only its hook is known yet, or which its hook did not let happen. */
  judgedTool(toolUseId: string, name: string, at: number): Tool {
    const known = this.tool(toolUseId);
    if (known !== undefined) return known;
    const tool = this.#addTool(toolUseId, name, this.#stepAt(at), at);
    if (this.#ended !== undefined) this.end(this.#ended.at, this.#ended.outcome);
    return tool;
  }

  /** Ends what is still open. */
  end(at: number, outcome: Outcome): void {
    this.#ended = { at, outcome };
    for (const node of this.#open) {
      node.to = Math.max(node.from, at);
      node.outcome = outcome;
    }
    this.#open = new Set();
    for (const scope of this.#subagents.values()) scope.end(at, outcome);
  }

  get #here(): TimelineNode {
    return this.#current ?? this.#root;
  }

  #step({ step: reported }: { readonly step?: number | undefined }, at: number): Step {
    const number = reported ?? this.#current?.detail.step ?? 1;
    const known = this.#steps.get(number);
    if (known !== undefined) return known;
    const detail: StepDetail = { type: "step", step: number, said: "", reasoning: "" };
    const step: Step = { ...this.#begun(`step-${number}`, `Step ${number}`, at), detail };
    this.#root.children.push(step);
    this.#open.add(step);
    this.#steps.set(number, step);
    this.#current = step;
    return step;
  }

  #stepAt(at: number): TimelineNode {
    return [...this.#steps.values()].findLast(({ from }) => from <= at) ?? this.#root;
  }

  #end(node: TimelineNode, at: number, { status }: Ended): void {
    node.to = Math.max(node.from, at);
    node.outcome = OUTCOMES[status] ?? "unknown";
    this.#open.delete(node);
  }

  #startTool(event: KnownRunEvent<"tool_start">, at: number): void {
    const tool = this.#addTool(event.tool_use_id, event.tool_name, this.#step(event, at), at);
    tool.detail.input = event.tool_input;
    tool.about = firstWords(event.tool_input);
    tool.begun = at;
  }

  /** Its duration counts from the model's wish, and so with what its hooks took; a blocked call has no start at all. */
  #endTool(event: KnownRunEvent<"tool_end">, at: number): void {
    const { tool_use_id: id, tool_name } = event;
    const wished = at - event.duration_ms;
    const known = this.#tools.get(id);
    const isGoingOn = known !== undefined && known.to === null;
    const tool = isGoingOn ? known : this.#addTool(id, tool_name, this.#step(event, at), wished);
    tool.from = Math.min(tool.from, Math.max(wished, this.#step(event, at).from));
    tool.detail.reason = event.reason;
    if ("result" in event) tool.detail.result = event.result;
    this.#end(tool, at, event);
  }

  #addTool(id: string, name: string, parent: TimelineNode, at: number): Tool {
    const detail: ToolDetail = { type: "tool", toolUseId: id, input: undefined, acts: [] };
    const place = this.#tools.has(id) ? `tool-${id}-${++this.#count}` : `tool-${id}`;
    const tool: Tool = { ...this.#begun(place, name, at), detail };
    parent.children.push(tool);
    this.#open.add(tool);
    this.#tools.set(id, tool);
    for (const { act, node } of this.#acts.get(id) ?? []) addAct(tool, act, node);
    this.#acts.delete(id);
    return tool;
  }

  /** What is about a tool call is beside it; before it began, that is kept for it. */
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
    const node = this.#begun(`act-${++this.#count}`, act.hook ?? "Permission", at);
    return { ...node, about: act.event, to: at, outcome: outcomeOfAct(act), detail: { type: "act", act } };
  }

  #note(parent: TimelineNode, label: string, text: string | undefined, from: number, to: number): void {
    const node = this.#begun(`note-${++this.#count}`, label, from);
    const detail = { type: "note", text: text ?? label } as const;
    parent.children.push({ ...node, about: text, to, outcome: "done", detail });
  }

  #addSubagent(event: KnownRunEvent<"subagent">, at: number): void {
    const { tool_use_id: id, subagent } = event;
    let scope = this.#subagents.get(id);
    if (scope === undefined) {
      const tool = this.#tools.get(id) ?? this.#addTool(id, "agent", this.#here, at);
      tool.about = subagent;
      scope = new AgentScope(tool.id, tool);
      this.#subagents.set(id, scope);
    }
    scope.add(subagentEvent(event), at);
  }

  #begun(place: string, label: string, at: number) {
    const id = `${this.#id}/${place}`;
    return { id, label, from: at, to: null, outcome: "going_on", children: [] } as Omit<
      TimelineNode,
      "detail"
    >;
  }
}

/** The coordinator's own hook has a row already, with more to tell. */
function addAct(tool: Tool, act: HookAct, node: TimelineNode): void {
  tool.detail.acts.push(act);
  if (act.hook !== "on_tool_call") tool.children.push(node);
}
