import { isAbsolute, resolve } from "node:path";
import { isRecord } from "@tenterhook/internal";
import type { ToolRow, Tools, Wrapper } from "../../definition/tools.ts";
import { textAt, UnreadableCall } from "../read/native-call.ts";
import { type CanonicalCall, changedNative, type Input, isSame, type NativeCall } from "./canonical-call.ts";
import { commandLine, unmappedCall } from "./command-call.ts";

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
export function takesText(tools: Tools, name: string): boolean {
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
