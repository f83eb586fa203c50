import type { Hooks } from "@tenterhook/engine";
import type { EventName, Payload } from "@tenterhook/protocol";

/** The events that scenarios compare. */
export const COMPARED = [
  "before_agent",
  "before_step",
  "before_llm",
  "after_llm",
  "before_tool",
  "after_tool",
  "after_tool_failure",
  "after_step",
  "before_stop",
  "on_error",
  "agent_failed",
  "after_agent",
] as const satisfies readonly EventName[];

type Compared = (typeof COMPARED)[number];

/** Records the events that are fired, before any other hook sees them. */
export function recordEvents(hooks: Hooks, events: readonly EventName[]): string[] {
  const recorded: string[] = [];
  for (const event of COMPARED) {
    if (!events.includes(event)) continue;
    // A background hook would be called too late, and a judging one would keep text from being streamed.
    const record = (context: unknown) =>
      void recorded.push(describeEvent(event, context as Payload<Compared>));
    hooks.on(event, record, { name: "recorder", priority: 1_000, observes: true });
  }
  return recorded;
}

function describeEvent(event: Compared, payload: object): string {
  const fields = payload as Record<string, unknown>;
  const tool = `${String(fields.toolName)} ${(fields.toolInput as { command?: string } | undefined)?.command ?? ""}`;
  switch (event) {
    case "before_agent":
      return `before_agent ${String(fields.message)}`;
    case "before_step":
      return `before_step ${String(fields.stepIndex)}`;
    case "after_step":
      return `after_step ${String(fields.stepIndex)} ${String(fields.status)}`;
    case "before_llm":
      return "before_llm";
    case "after_llm":
      return `after_llm ${String(fields.status)} ${JSON.stringify(fields.text)}`;
    case "before_tool":
      return `before_tool ${tool}`;
    case "after_tool":
      return `after_tool ${tool} ${String(fields.status)} ${JSON.stringify(fields.toolResult)}`;
    case "after_tool_failure":
      return `after_tool_failure ${tool} ${String(fields.status)} ${readMessage(fields.error)}`;
    case "before_stop":
      return `before_stop ${String(fields.stopReason)}`;
    case "on_error":
      return `on_error ${String(fields.phase)} ${readMessage(fields.error)}`;
    case "agent_failed":
      return `agent_failed ${readMessage(fields.error)}`;
    case "after_agent":
      return `after_agent ${String(fields.status)}`;
  }
}

function readMessage(error: unknown): string {
  return String((error as { readonly message?: unknown }).message);
}
