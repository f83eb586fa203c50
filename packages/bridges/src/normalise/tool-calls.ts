import { isAbsolute, resolve } from "node:path";
import { isRecord } from "@tenterhook/protocol/support";
import type { ToolRow, Tools } from "../shape/tools.ts";
import { UnreadableCall } from "./native-call.ts";
import { textAt } from "./value-at.ts";

export type Input = Readonly<Record<string, unknown>>;

/** One call with canonical names. */
export interface CanonicalCall {
  readonly name: string;
  readonly input: Input;
}

/** A native call, as the calls that it holds. */
export interface NativeCall {
  readonly calls: readonly CanonicalCall[];
  /** It starts a subagent, of this type and with this task. */
  readonly delegation?: { readonly type: string; readonly task: string; readonly taskArgument: string };
  /** The native input with the calls' inputs changed to these; `undefined` where the client cannot express that. */
  putBack(inputs: readonly Input[]): Input | undefined;
}

/** Reads a native call. Throws `UnreadableCall`. */
export function readCall(
  tools: Tools,
  name: string,
  input: Input,
  payload: unknown,
  cwd: string,
): NativeCall {
  const row = rowFor(tools, name, input);
  if (row === undefined) return whole({ name: mcpName(tools, name, payload) ?? name, input });
  if (row.split !== undefined) return split(row, name, input, cwd);
  if (row.list !== undefined) return listed(row, row.list, name, input, cwd);
  const call = { name: row.name, input: absolute(renamed(input, row.args ?? {}), cwd) };
  const delegation = delegationOf(row, input);
  return {
    calls: [call],
    ...(delegation !== undefined && { delegation }),
    putBack: ([changed]) =>
      changed && changedNative(input, call.input, changed, inverted(row.args ?? {}), row.incidental),
  };
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
  const items = itemsOf(input[argument]);
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
function itemsOf(value: unknown): readonly unknown[] | undefined {
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

function delegationOf({ delegates }: ToolRow, input: Input): NativeCall["delegation"] {
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

/** The native input with only the differences applied, so that the rest is returned as it was. */
function changedNative(
  native: Input,
  before: Input,
  after: Input,
  names: Readonly<Record<string, string>>,
  incidental: readonly string[] = [],
): Input {
  const result: Record<string, unknown> = { ...native };
  const nativeKey = (key: string) => {
    const name = Object.hasOwn(names, key) ? names[key] : undefined;
    return name !== undefined && (Object.hasOwn(native, name) || !Object.hasOwn(native, key)) ? name : key;
  };
  for (const key of Object.keys(before))
    if (!Object.hasOwn(after, key) && !incidental.includes(key)) delete result[nativeKey(key)];
  for (const [key, value] of Object.entries(after))
    if (!Object.hasOwn(before, key) || !isSame(before[key], value)) result[nativeKey(key)] = value;
  return result;
}

function sameBut(key: string, a: Input, b: Input): boolean {
  const { [key]: _a, ...restA } = a;
  const { [key]: _b, ...restB } = b;
  return isSame(restA, restB);
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
