import type { CanonicalTool } from "@tenterhook/protocol/internal";

type Input = Readonly<Record<string, unknown>>;

/** One of the calls that a native call contains. */
export interface PartialCall {
  readonly name: string;
  readonly input: Input;
}

/** How a native tool is translated. */
export interface ToolRow {
  readonly name: CanonicalTool;
  /** Native argument to canonical argument; the others keep their names. */
  readonly args?: Readonly<Record<string, string>>;
  /** Native arguments that only describe the call: they are kept when a hook's answer leaves them out. */
  readonly incidental?: readonly string[];
  /** Applies only to calls that have all of these arguments; of several rows, the first that applies counts. */
  readonly needs?: readonly string[];
  /** Applies only to calls that have no arguments but those. */
  readonly alone?: boolean;
  /** This argument has a list; each item is a call of its own, with the item as the canonical argument `each`. */
  readonly list?: { readonly argument: string; readonly each: string };
  /** Splits a call that has several calls in a format of its own; `undefined` when it cannot be read. */
  readonly split?: (input: Input) => readonly PartialCall[] | undefined;
  /** It starts a subagent: which arguments contain its type and its task. */
  readonly delegates?: { readonly type: string; readonly task: string };
}

/** How a client names the tools of MCP servers; they become `mcp__server__tool`. */
export interface McpNames {
  readonly prefix: string;
  readonly separator: string;
  /** Where the payload names the server and the tool, if it does: the tool's name alone may be ambiguous. */
  readonly server?: string;
  readonly tool?: string;
}

/** A tool that calls another one: which of its arguments have the other's name and its arguments, maybe as JSON text. */
export interface Wrapper {
  readonly name: string;
  readonly input: string;
}

export interface Tools {
  /** Tools of the client that are known and have no canonical name, by the reason why they need none. */
  readonly unmapped: Readonly<Record<string, readonly string[]>>;
  readonly wrappers?: Readonly<Record<string, Wrapper>>;
  /** By the client's name of the tool. A name that is not in `tool-names.ts` of the protocol must be added there. */
  readonly rows: Readonly<Record<string, ToolRow | readonly ToolRow[]>>;
  readonly mcp: McpNames;
}
