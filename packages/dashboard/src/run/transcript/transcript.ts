import {
  isKnownEvent,
  type KnownRunEvent,
  type RunDetail,
  type RunEvent,
  subagentEvent,
} from "@tenterhook/protocol/runs";
import { actText, hookAct, stateOfAct } from "../timeline/hook-act.ts";
import type { TextEntry, ToolEntry, TranscriptEntry } from "./transcript-entry.ts";

type TranscriptRun = Pick<
  RunDetail,
  "parameters" | "created_at" | "finished_at" | "result_text" | "result_data" | "block_reason" | "error"
>;

/**
 * The conversation in the order in which it happened: the user's message, what the agent answered, its tool calls with their results,
 * what hooks refused, and the output of programs.
 */
export function transcript(run: TranscriptRun, events: readonly RunEvent[]): readonly TranscriptEntry[] {
  const writer = new TranscriptWriter();
  const { text, isData } = readMessage(run.parameters);
  writer.write("user", text, { id: "message", timestamp: run.created_at, isData });
  for (const event of events) writer.add(event, undefined);
  if (run.finished_at !== null) writer.close(run, run.finished_at);
  return writer.entries;
}

const JOINED: readonly TranscriptEntry["role"][] = ["agent", "reasoning", "program", "hooks"];
/** Longer output is split into several entries. */
const MAX_CHARACTERS = 20_000;

class TranscriptWriter {
  readonly entries: TranscriptEntry[] = [];
  readonly #tools = new Map<string, ToolEntry>();
  /** The hooks that checked a call before it began. */
  readonly #acts = new Map<string, ReturnType<typeof hookAct>[]>();
  /** The target of the last on_tool_call hook that refused. */
  #callHook: string | undefined;

  add(event: RunEvent, parent: string | undefined): void {
    if (!isKnownEvent(event)) return;
    const at = { id: event.id, timestamp: event.timestamp, subagent: parent };
    switch (event.event_type) {
      case "subagent": {
        const path = parent === undefined ? event.subagent : `${parent} › ${event.subagent}`;
        this.add(subagentEvent(event), path);
        return;
      }
      case "text":
        this.write("agent", event.text, { ...at, step: event.step });
        return;
      case "reasoning":
        this.write("reasoning", event.text, { ...at, step: event.step });
        return;
      case "log":
        this.write(event.source === "hooks" ? "hooks" : "program", `${event.text}\n`, at);
        return;
      case "answer_discarded":
        this.#discard(event, parent);
        return;
      case "run_retried":
        this.write("note", "The runner was lost; the run starts again.", at);
        return;
      case "tool_start":
        this.#startTool(event, { ...at, step: event.step });
        return;
      case "tool_end":
        this.#endTool(event, { ...at, step: event.step });
        return;
      case "hook_acted":
        this.#act(event, at);
        return;
      case "hook_blocked": {
        const by = event.hook_name ?? event.target_name;
        // The call that it refused is an entry of its own.
        if (event.hook_type === "on_tool_call") this.#callHook = by;
        else this.write("refusal", `${event.hook_type} by ${by} refused: ${event.block_reason}`, at);
        return;
      }
      case "hook_failed": {
        const by = event.hook_name ?? event.target_name ?? "a hook";
        this.write("refusal", `${event.hook_type} by ${by} failed: ${event.error}`, at);
      }
    }
  }

  write(
    role: TextEntry["role"],
    text: string,
    {
      id,
      timestamp,
      subagent,
      step,
      isData = false,
    }: {
      readonly id: string;
      readonly timestamp: string;
      readonly subagent?: string | undefined;
      readonly step?: number | undefined;
      readonly isData?: boolean;
    },
  ): void {
    const last = this.entries.at(-1);
    const continues =
      last !== undefined &&
      last.role !== "tool" &&
      last.role === role &&
      last.subagent === subagent &&
      last.step === step &&
      !last.isDiscarded &&
      JOINED.includes(role) &&
      last.text.length < MAX_CHARACTERS;
    if (continues) last.text += text;
    else this.entries.push({ id, role, subagent, timestamp, step, text, isData, isDiscarded: false });
  }

  /** The result of a run without an answer in words, and why it ended without one. */
  close({ result_text, result_data, error, block_reason }: TranscriptRun, timestamp: string): void {
    const isReported = (text: string) =>
      this.entries.some((entry) =>
        entry.role === "tool" ? entry.reason === text : entry.role === "refusal" && entry.text.includes(text),
      );
    const why = block_reason ?? error;
    if (why !== null && !isReported(why)) {
      const text = block_reason === null ? `The run failed: ${why}` : `The run was refused: ${why}`;
      this.write("refusal", text, { id: "ending", timestamp });
    }
    const hasAnswer = this.entries.some((entry) => entry.role === "agent" && entry.subagent === undefined);
    const result = result_text ?? (result_data === null ? undefined : JSON.stringify(result_data, null, 2));
    if (!hasAnswer && result !== undefined && result !== "") {
      this.write("agent", result, { id: "result", timestamp, isData: result_text === null });
    }
  }

  #startTool(
    { tool_use_id, tool_name: name, tool_input: input }: KnownRunEvent<"tool_start">,
    at: Pick<ToolEntry, "id" | "timestamp" | "subagent" | "step">,
  ): ToolEntry {
    const key = keyOf(tool_use_id, at.subagent);
    const tool: ToolEntry = {
      ...at,
      role: "tool",
      name,
      input,
      status: "running",
      result: undefined,
      reason: undefined,
      refusedBy: undefined,
      acts: [],
    };
    this.entries.push(tool);
    this.#tools.set(key, tool);
    for (const act of this.#acts.get(key) ?? []) this.#applyAct(tool, act);
    this.#acts.delete(key);
    return tool;
  }

  #endTool(
    event: KnownRunEvent<"tool_end">,
    at: Pick<ToolEntry, "id" | "timestamp" | "subagent" | "step">,
  ): void {
    const known = this.#tools.get(keyOf(event.tool_use_id, at.subagent));
    // A call that was refused never began.
    const tool =
      known?.status === "running"
        ? known
        : this.#startTool({ ...event, event_type: "tool_start", tool_input: event.tool_input ?? {} }, at);
    tool.status = event.status;
    tool.reason = event.reason;
    tool.result = event.result;
  }

  #act(event: KnownRunEvent<"hook_acted">, at: Pick<ToolEntry, "id" | "timestamp" | "subagent">): void {
    const act = hookAct(event);
    if (event.tool_use_id === undefined) {
      const text = `${act.hook ?? "Permission"} on ${act.event} ${actText(act)}`;
      this.write(stateOfAct(act) === "done" ? "note" : "refusal", text, at);
      return;
    }
    const key = keyOf(event.tool_use_id, at.subagent);
    const tool = this.#tools.get(key);
    if (tool?.status === "running") this.#applyAct(tool, act);
    else this.#acts.set(key, [...(this.#acts.get(key) ?? []), act]);
  }

  #applyAct(tool: ToolEntry, act: ReturnType<typeof hookAct>): void {
    const hook = act.hook === "on_tool_call" ? (this.#callHook ?? act.hook) : (act.hook ?? "Permission");
    if (act.action === "refuse" && !act.failed) tool.refusedBy = hook;
    else tool.acts.push(`${hook} ${actText(act)}`);
  }

  #discard({ step }: KnownRunEvent<"answer_discarded">, subagent: string | undefined): void {
    for (const entry of this.entries.toReversed()) {
      if (entry.step !== step || entry.subagent !== subagent) return;
      if (entry.role === "agent" || entry.role === "reasoning") entry.isDiscarded = true;
    }
  }
}

const keyOf = (toolUseId: string, subagent: string | undefined) => `${subagent ?? ""}\n${toolUseId}`;

/** What the agent was asked: the message among its parameters, else all of them as JSON. */
function readMessage(parameters: RunDetail["parameters"]): {
  readonly text: string;
  readonly isData: boolean;
} {
  const { message, prompt } = parameters;
  if (typeof message === "string") return { text: message, isData: false };
  if (typeof prompt === "string") return { text: prompt, isData: false };
  return { text: JSON.stringify(parameters, null, 2), isData: true };
}
