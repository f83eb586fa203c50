import { isAbsolute, resolve } from "node:path";
import { isRecord } from "@tenterhook/internal";
import type { EventName, Payload } from "@tenterhook/protocol";
import type { ToolRow, Tools, Wrapper } from "../../definition/tools.ts";
import {
  areMet,
  BadPayload,
  contentText,
  type NativePayload,
  readError,
  textAt,
  UnreadableCall,
} from "../read/read-call.ts";
import { type CanonicalCall, changedNative, type Input, isSame, type NativeCall } from "./canonical-call.ts";
import { commandLine, unmappedCall } from "./command-call.ts";

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

/** Reads a native call. Throws `UnreadableCall`. */
export function readCall(
  tools: Tools,
  name: string,
  input: Input,
  payload: unknown,
  cwd: string,
): NativeCall {
  const wrapper = wrapperFor(tools, name);
  if (wrapper !== undefined) return unwrapped(tools, name, wrapper, input, payload, cwd);
  const mcp = mcpName(tools, name, payload);
  const row = isOfServer(tools, payload) ? undefined : rowFor(tools, name, input);
  if (row === undefined) return unmappedCall(mcp ?? name, input);
  if (row.split !== undefined) return split(row, name, input, cwd);
  if (row.list !== undefined) return listed(row, row.list, name, input, cwd);
  const renamedInput = absolute(renamed(input, row.args ?? {}), cwd);
  const { command } = renamedInput;
  const isList = row.name === "Shell" && Array.isArray(command);
  const call = {
    name: row.name,
    input: isList ? { ...renamedInput, command: commandLine(command) } : renamedInput,
    // What a line does depends on the language of its shell, which only this name tells.
    ...(name === "powershell" && { aliases: [name] }),
  };
  const delegation = readDelegation(row, input);
  return {
    calls: [call],
    ...(delegation !== undefined && { delegation }),
    putBack: ([changed]) => {
      // A list cannot be made again from the command line that it became.
      if (changed === undefined || (isList && changed.command !== call.input.command)) return undefined;
      return changedNative(input, call.input, changed, inverted(row.args ?? {}), row.incidental);
    },
  };
}

/** Whether the payload itself says that the tool is one of an MCP server: then it is not the client's own tool of that name. */
function isOfServer({ mcp }: Tools, payload: unknown): boolean {
  return mcp.server !== undefined && textAt(payload, mcp.server) !== undefined;
}

function wrapperFor({ wrappers = {} }: Tools, name: string): Wrapper | undefined {
  return Object.hasOwn(wrappers, name) ? wrappers[name] : undefined;
}

/** The call of the tool that a wrapper names. The wrapper's own name still finds it. */
function unwrapped(
  tools: Tools,
  name: string,
  wrapper: Wrapper,
  input: Input,
  payload: unknown,
  cwd: string,
): NativeCall {
  const { [wrapper.name]: innerName, [wrapper.input]: innerInput = {} } = input;
  const inner = typeof innerInput === "string" ? parsedRecord(innerInput) : innerInput;
  if (typeof innerName !== "string" || innerName === "" || !isRecord(inner))
    throw new UnreadableCall(`the call of ${name} does not say which tool it calls with what`);
  if (wrapperFor(tools, innerName) !== undefined)
    throw new UnreadableCall(`the call of ${name} is one of ${innerName}, which calls another tool`);
  const call = readCall(tools, innerName, inner, payload, cwd);
  return {
    ...call,
    calls: call.calls.map((each) => ({ ...each, aliases: [...(each.aliases ?? []), name] })),
    putBack: (inputs) => {
      const back = call.putBack(inputs);
      const isText = typeof innerInput === "string";
      return back && { ...input, [wrapper.input]: isText ? JSON.stringify(back) : back };
    },
  };
}

function parsedRecord(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function rowFor({ rows }: Tools, name: string, input: Input): ToolRow | undefined {
  const found = Object.hasOwn(rows, name) ? rows[name] : undefined;
  const candidates: readonly ToolRow[] =
    found === undefined ? [] : Array.isArray(found) ? found : [found as ToolRow];
  const count = Object.keys(input).length;
  const fitting = candidates.filter(
    ({ needs = [], alone = false }) =>
      needs.every((key) => Object.hasOwn(input, key)) && (!alone || needs.length === count),
  );
  if (fitting.filter(({ list }) => list !== undefined).length > 1)
    throw new UnreadableCall(`the call of ${name} has two lists`);
  return fitting[0];
}

/** Whether a tool's input may be a text as it is: that of a patch. */
function takesText(tools: Tools, name: string): boolean {
  return rowFor(tools, name, { input: "" })?.split !== undefined;
}

function whole(call: CanonicalCall): NativeCall {
  return {
    calls: [call],
    putBack: ([changed]) => changed && changedNative(call.input, call.input, changed, {}),
  };
}

function split({ split: take }: ToolRow, name: string, input: Input, cwd: string): NativeCall {
  const parts = take?.(input);
  if (parts === undefined) throw new UnreadableCall(`the input of ${name} could not be read`);
  return {
    calls: parts.map((part) => ({ name: part.name, input: absolute(part.input, cwd) })),
    // A patch cannot be rebuilt from the changes of one of its files.
    putBack: () => undefined,
  };
}

function listed(
  row: ToolRow,
  { argument, each }: { readonly argument: string; readonly each: string },
  name: string,
  input: Input,
  cwd: string,
): NativeCall {
  const items = readItems(input[argument]);
  if (items === undefined) throw new UnreadableCall(`the ${argument} of ${name} could not be read`);
  const { [argument]: _, ...rest } = input;
  // A call of nothing is still a call, which a hook for all calls is asked about.
  if (items.length === 0) return whole({ name: row.name, input });
  const calls = items.map((item) => ({
    name: row.name,
    input: absolute(
      { ...renamed(rest, row.args ?? {}), ...(isRecord(item) ? itemInput(item, each) : { [each]: item }) },
      cwd,
    ),
  }));
  return {
    calls,
    putBack: (inputs) => {
      // A list of plain texts can be put together again; anything else is refused rather than guessed.
      const isWhole =
        inputs.length === calls.length && inputs.every((changed, at) => changed !== calls[at]?.input);
      const values = inputs.map((changed) => changed[each]);
      if (!isWhole || !items.every(isText) || !values.every(isText)) return undefined;
      const others = inputs.every((changed, at) => sameBut(each, changed, calls[at]?.input ?? {}));
      return others ? { ...input, [argument]: values } : undefined;
    },
  };
}

/** A list, a list as JSON text, or a single item. */
function readItems(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (typeof value !== "string") return undefined;
  try {
    const parsed: unknown = JSON.parse(value);
    if (Array.isArray(parsed)) return parsed;
  } catch {
    // No list: the item itself.
  }
  return [value];
}

function itemInput(item: Input, each: string): Input {
  const names = each === "file_path" ? { path: each, file: each } : {};
  const named = renamed(item, names);
  return Object.hasOwn(named, each) ? { ...item, ...named } : { ...item, [each]: JSON.stringify(item) };
}

function readDelegation({ delegates }: ToolRow, input: Input): NativeCall["delegation"] {
  if (delegates === undefined) return undefined;
  const { [delegates.type]: type, [delegates.task]: task } = input;
  return {
    type: isText(type) ? type : "general",
    task: isText(task) ? task : "",
    taskArgument: delegates.task,
  };
}

function mcpName({ mcp }: Tools, name: string, payload: unknown): string | undefined {
  const server = mcp.server === undefined ? undefined : textAt(payload, mcp.server);
  const tool = mcp.tool === undefined ? undefined : textAt(payload, mcp.tool);
  if (server !== undefined && tool !== undefined) return `mcp__${server}__${tool}`;
  if (!name.startsWith(mcp.prefix)) return undefined;
  const rest = name.slice(mcp.prefix.length);
  const at = rest.indexOf(mcp.separator);
  if (at <= 0 || at + mcp.separator.length >= rest.length) return undefined;
  return `mcp__${rest.slice(0, at)}__${rest.slice(at + mcp.separator.length)}`;
}

/** Two arguments that become one must say the same: which of them the client goes by is not known. */
function renamed(input: Input, names: Readonly<Record<string, string>>): Input {
  const result = new Map<string, unknown>();
  for (const [key, value] of Object.entries(input)) {
    const name = Object.hasOwn(names, key) ? (names[key] ?? key) : key;
    if (result.has(name) && !isSame(result.get(name), value))
      throw new UnreadableCall(`the call has two values for ${name}`);
    result.set(name, value);
  }
  return Object.fromEntries(result);
}

function inverted(names: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(names).map(([native, canonical]) => [canonical, native]));
}

/** Makes a path that is relative to the client's working folder absolute. */
function absolute(input: Input, cwd: string): Input {
  const path = input.file_path;
  return isText(path) && path !== "" && !isAbsolute(path) && !path.startsWith("~")
    ? { ...input, file_path: resolve(cwd, path) }
    : input;
}

function sameBut(key: string, a: Input, b: Input): boolean {
  const { [key]: _a, ...restA } = a;
  const { [key]: _b, ...restB } = b;
  return isSame(restA, restB);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
