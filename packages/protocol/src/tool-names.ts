/** The names that hooks get for the tools of every coding agent. A tool that has none of them keeps its own. */
export const CANONICAL_TOOLS = [
  "Shell",
  "ReadFile",
  "WriteFile",
  "EditFile",
  "DeleteFile",
  "Glob",
  "Grep",
  "Subagent",
] as const;

export type CanonicalTool = (typeof CANONICAL_TOOLS)[number];

/** What coding agents call them. A test compares it with the agents' own tables. */
const NATIVE_NAMES: Readonly<Record<CanonicalTool, readonly string[]>> = {
  Shell: [
    "Bash",
    "bash",
    "run_shell_command",
    "Execute",
    "exec_command",
    "execute_command",
    "run_commands",
    "shell",
    "shell_command",
    "powershell",
    "write_bash",
    "Monitor",
    "monitor",
  ],
  ReadFile: ["Read", "read", "read_file", "read_files", "read_many_files", "view"],
  WriteFile: ["Write", "write", "write_file", "Create", "create", "editor", "apply_patch", "ApplyPatch"],
  EditFile: [
    "Edit",
    "edit",
    "MultiEdit",
    "NotebookEdit",
    "notebook_edit",
    "replace",
    "editor",
    "apply_patch",
    "ApplyPatch",
  ],
  DeleteFile: ["apply_patch", "ApplyPatch"],
  Glob: ["glob"],
  Grep: ["grep", "grep_search", "search_file_content"],
  Subagent: ["Agent", "agent", "Task", "task", "AgentSwarm", "invoke_agent", "spawn_agent"],
};

export function isCanonicalTool(name: string): name is CanonicalTool {
  return Object.hasOwn(NATIVE_NAMES, name);
}

/** What coding agents call a canonical tool; empty for any other tool. */
export function nativeNames(tool: string): readonly string[] {
  return isCanonicalTool(tool) ? NATIVE_NAMES[tool] : [];
}

/**
 * The canonical tools that a coding agent's name of a tool means, several where that depends on the input or on the agent. Empty for a
 * canonical name, and for one that no known agent has.
 */
export function canonicalTools(native: string): readonly CanonicalTool[] {
  return CANONICAL_TOOLS.filter((tool) => NATIVE_NAMES[tool].includes(native));
}

/** What a call of a tool does, for the effects of the call. */
export type ToolKind = "runs" | "reads" | "writes" | "edits" | "deletes" | "searches" | "fetches" | "nothing";

const KINDS: Readonly<Record<CanonicalTool, ToolKind>> = {
  Shell: "runs",
  ReadFile: "reads",
  WriteFile: "writes",
  EditFile: "edits",
  DeleteFile: "deletes",
  // To list names reads no file.
  Glob: "nothing",
  Grep: "searches",
  // What the other agent does has events of its own.
  Subagent: "nothing",
};

/** Tools of coding agents without a canonical name, which keep their own. */
const OTHER_KINDS: readonly (readonly [ToolKind, readonly string[]])[] = [
  ["fetches", ["WebFetch", "web_fetch", "FetchUrl", "FetchURL", "webfetch", "fetch_web_content"]],
  ["nothing", ["WebSearch", "web_search", "google_web_search", "websearch", "codesearch"]],
  ["nothing", ["LS", "list_directory"]],
  ["reads", ["view_image", "zoom_image"]],
];

/** What a call of a tool of this name does; `undefined` where that is not known. A coding agent's name of a canonical tool is not one. */
export function toolKind(name: string): ToolKind | undefined {
  return isCanonicalTool(name) ? KINDS[name] : OTHER_KINDS.find(([, names]) => names.includes(name))?.[0];
}
