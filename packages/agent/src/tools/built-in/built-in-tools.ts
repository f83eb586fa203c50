import { resolve } from "node:path";
import { TenterhookError } from "@tenterhook/protocol";
import type { AgentTool, AgentTools } from "../tool.ts";
import type { FileToolOptions } from "./built-in-tool.ts";
import { globTool } from "./glob.ts";
import { grepTool } from "./grep.ts";
import { readFileTool } from "./read-file.ts";
import { type ShellOptions, shellTool } from "./shell.ts";
import { editFileTool, writeFileTool } from "./write-file.ts";

/** The names of the built-in tools, for models and matchers. */
export const BUILT_IN_TOOL_NAMES = ["Shell", "ReadFile", "WriteFile", "EditFile", "Glob", "Grep"] as const;

/** The name of a built-in tool. */
export type BuiltInToolName = (typeof BUILT_IN_TOOL_NAMES)[number];

/** Where the built-in tools work, and what the shell may do. */
export interface BuiltInToolOptions extends FileToolOptions {
  readonly shell?: ShellOptions | undefined;
  /** Only these. Default: all. */
  readonly only?: readonly BuiltInToolName[] | undefined;
}

const FACTORIES: Readonly<Record<BuiltInToolName, (options: BuiltInToolOptions) => AgentTool>> = {
  Shell: ({ workDir, shell }) => shellTool({ ...shell, workDir }),
  ReadFile: readFileTool,
  WriteFile: writeFileTool,
  EditFile: editFileTool,
  Glob: globTool,
  Grep: grepTool,
};

/**
 * Tools for commands and files. The file tools are confined to the work folder; Shell is not and cannot be: do not give it to an
 * agent that must stay in its folder. Throws `bad_agent` for an unknown name.
 */
export function builtInTools(options: BuiltInToolOptions = {}): AgentTools {
  const { only = BUILT_IN_TOOL_NAMES } = options;
  const unknown = only.find((name) => !BUILT_IN_TOOL_NAMES.includes(name));
  if (unknown !== undefined) {
    const hint = `There are ${BUILT_IN_TOOL_NAMES.join(", ")}.`;
    throw new TenterhookError("bad_agent", `no built-in tool is called "${unknown}".`, { hint });
  }
  // Resolved once, because this process may change its directory.
  const workDir = options.workDir === undefined ? undefined : resolve(options.workDir);
  return Object.fromEntries(only.map((name) => [name, FACTORIES[name]({ ...options, workDir })]));
}
