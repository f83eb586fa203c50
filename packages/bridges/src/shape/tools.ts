type Input = Readonly<Record<string, unknown>>;

/** The names that matchers are written for. A tool that has none of them keeps its own. */
export type CanonicalTool =
  | "Shell"
  | "ReadFile"
  | "WriteFile"
  | "EditFile"
  | "DeleteFile"
  | "Glob"
  | "Grep"
  | "Subagent";

/** One of the calls that a native call holds. */
export interface PartialCall {
  readonly name: string;
  readonly input: Input;
}

/** What a native tool is. */
export interface ToolRow {
  readonly name: CanonicalTool;
  /** Native argument to canonical argument; the others keep their names. */
  readonly args?: Readonly<Record<string, string>>;
  /** Native arguments that only describe the call: a hook that leaves them out has not taken them out. */
  readonly incidental?: readonly string[];
  /** Applies only to calls that have all of these arguments; of several rows, the first that applies counts. */
  readonly needs?: readonly string[];
  /** Applies only to calls that have no other arguments than those. */
  readonly alone?: boolean;
  /** The call holds a list in this argument, and is one call for each item, which has it as the canonical argument. */
  readonly list?: { readonly argument: string; readonly each: string };
  /** The call holds several in a form of its own; `undefined` when it cannot be read. */
  readonly split?: (input: Input) => readonly PartialCall[] | undefined;
  /** It starts a subagent: which arguments hold its type and its task. */
  readonly delegates?: { readonly type: string; readonly task: string };
}

/** How a client names the tools of MCP servers; they become `mcp__server__tool`. */
export interface McpNames {
  readonly prefix: string;
  readonly separator: string;
  /** Where the payload says which server and which tool, if it does: names alone may be ambiguous. */
  readonly server?: string;
  readonly tool?: string;
}

export interface Tools {
  readonly rows: Readonly<Record<string, ToolRow | readonly ToolRow[]>>;
  readonly mcp: McpNames;
}
