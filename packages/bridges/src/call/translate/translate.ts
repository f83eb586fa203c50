import { isRecord } from "@tenterhook/internal";
import type { EventName, Payload } from "@tenterhook/protocol";
import {
  areMet,
  BadPayload,
  contentText,
  type NativePayload,
  readError,
  UnreadableCall,
} from "../read/native-call.ts";
import type { Input, NativeCall } from "./canonical-call.ts";
import { readCall, takesText } from "./tool-calls.ts";

/** One of our events that a native event is translated into. */
export interface Step {
  readonly event: EventName;
  readonly payload: Payload<EventName>;
}

export interface Translated {
  /** In the order they are fired; one that refuses, or keeps the agent running, is the last. */
  readonly steps: readonly Step[];
  /** At events of tools: the call, to put changes back into. */
  readonly call?: NativeCall;
}

/** Translates a client's payload into our events. Throws `BadPayload` and `UnreadableCall`. */
export function translate(native: NativePayload): Translated {
  const { event, payload } = native;
  const failed = event.failedWhen !== undefined && areMet(event.failedWhen, payload);
  const events = event.events.map((name) => (failed && name === "after_tool" ? "after_tool_failure" : name));
  const call = events.some((name) => name in TOOL_EVENTS) ? toolCall(native) : undefined;
  const steps = events.flatMap((name): Step[] => {
    if (call !== undefined && name in TOOL_EVENTS) return toolSteps(native, name as ToolEvent, call);
    return [{ event: name, payload: makePayload(native, name) }];
  });
  return { steps, ...(call !== undefined && { call }) };
}

const TOOL_EVENTS = {
  before_tool: true,
  after_tool: true,
  after_tool_failure: true,
  permission_request: true,
};
type ToolEvent = keyof typeof TOOL_EVENTS;

function toolCall(native: NativePayload): NativeCall {
  const name = native.values.toolName;
  if (typeof name !== "string" || name === "") throw new UnreadableCall("the payload names no tool");
  return readCall(native.client.tools, name, toolInput(native, name), native.payload, native.cwd);
}

function toolInput(native: NativePayload, name: string): Input {
  const sent = native.values.toolInput ?? {};
  // Some versions of some clients send the arguments as the text that the model wrote, and a patch as nothing else.
  const input: unknown = typeof sent === "string" ? parsedInput(sent) : sent;
  if (typeof sent === "string" && !isRecord(input) && takesText(native.client.tools, name))
    return { input: sent };
  if (!isRecord(input)) throw new UnreadableCall("the tool's input is no object");
  return input;
}

function parsedInput(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toolSteps(native: NativePayload, event: ToolEvent, { calls, delegation }: NativeCall): Step[] {
  const toolUseId = native.values.toolUseId;
  const durationMs = native.values.durationMs;
  const ended = {
    ...(typeof durationMs === "number" && durationMs >= 0 && { durationMs }),
    toolResult: native.values.toolResult,
  };
  const steps = calls.map(({ name, aliases, input }): Step => {
    const tool = {
      ...base(native),
      toolName: name,
      ...(aliases !== undefined && aliases.length > 0 && { toolAliases: aliases }),
      toolInput: input,
      ...(typeof toolUseId === "string" && { toolUseId }),
    };
    if (event === "before_tool" || event === "permission_request") return { event, payload: tool };
    if (event === "after_tool") return { event, payload: { ...tool, ...ended } };
    return {
      event,
      payload: { ...tool, ...ended, error: readError(toolError(native)), status: "failed" },
    };
  });
  if (event !== "before_tool" || delegation === undefined) return steps;
  const payload = { ...base(native), subagentName: delegation.type, taskDescription: delegation.task };
  return [...steps, { event: "subagent_start", payload }];
}

function toolError(native: NativePayload): unknown {
  const error = native.values.error;
  if (error !== undefined && error !== null) return error;
  const result = native.values.toolResult as { error?: unknown } | undefined;
  return result?.error ?? result;
}

/** The payload of an event that is not about a tool. */
function makePayload(native: NativePayload, event: EventName): Payload<EventName> {
  const common = base(native);
  const text = (name: keyof NativePayload["values"]) => {
    const value = native.values[name];
    return typeof value === "string" ? value : undefined;
  };
  const finalText = contentText(native.values.finalMessage);
  const finalMessage =
    finalText === undefined ? {} : { finalMessage: { role: "assistant" as const, content: finalText } };
  switch (event) {
    case "session_start":
      return { ...common, ...defined({ source: text("source"), model: text("model") }) };
    case "session_end":
      return { ...common, ...defined({ exitReason: text("exitReason") }) };
    case "before_agent":
      return { ...common, message: contentText(native.values.prompt) ?? "" };
    case "after_agent":
      return {
        ...common,
        status: native.event.endsAs ?? (text("stopReason") === "aborted" ? "stopped" : "completed"),
        ...finalMessage,
      };
    case "before_stop":
      return { ...common, stopReason: text("stopReason") ?? "no_tool_calls", ...finalMessage };
    case "subagent_stop":
      return {
        ...common,
        subagentName: text("agentType") ?? "general",
        ...defined({ subagentId: text("agentId"), stopReason: text("stopReason") }),
        taskDescription: text("task") ?? "",
        ...finalMessage,
      };
    case "subagent_start":
      return { ...common, subagentName: text("agentType") ?? "general", taskDescription: text("task") ?? "" };
    case "pre_compact":
      return { ...common, ...defined({ trigger: text("trigger") }) };
    case "notification":
      return {
        ...common,
        message: contentText(native.values.message) ?? "",
        ...defined({ title: text("title"), notificationType: text("notificationType") }),
      };
    case "on_error":
      return { ...common, error: readError(native.values.error), phase: "iteration" };
    case "agent_failed":
      return { ...common, error: readError(native.values.error) };
    default:
      throw new BadPayload(`${native.eventName} cannot be read as ${event}`);
  }
}

/** The fields of every event. The whole native event is in `context.native`. */
function base(native: NativePayload) {
  const { client, eventName, payload, sessionId, cwd } = native;
  const toolName = native.values.toolName;
  return {
    sessionId,
    workDir: cwd,
    ...defined({ timestamp: isoTime(native.values.timestamp) }),
    context: {
      native: {
        client: client.id,
        event: eventName,
        ...(toolName !== undefined && { tool_name: toolName }),
        ...(!Object.hasOwn(payload, "tool_input") && defined({ tool_input: native.values.toolInput })),
        ...payload,
      },
    },
  };
}

function isoTime(time: unknown): string | undefined {
  if (typeof time === "string") return time;
  return typeof time === "number" && Number.isFinite(time) && Math.abs(time) < 8.64e15
    ? new Date(time).toISOString()
    : undefined;
}

/** The fields that have a value. */
function defined<T extends Record<string, unknown>>(
  fields: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
