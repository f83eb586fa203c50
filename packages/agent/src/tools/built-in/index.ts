export type { BuiltInTool, FileToolOptions, InputSchema, ToolCallOptions } from "./built-in-tool.ts";
export {
  BUILT_IN_TOOL_NAMES,
  type BuiltInToolName,
  type BuiltInToolOptions,
  builtInTools,
} from "./built-in-tools.ts";
export { type GlobInput, globTool } from "./glob.ts";
export { type GrepInput, grepTool } from "./grep.ts";
export { type ReadFileInput, readFileTool } from "./read-file.ts";
export { type ShellInput, type ShellOptions, type ShellResult, shellTool } from "./shell.ts";
export { type EditFileInput, editFileTool, type WriteFileInput, writeFileTool } from "./write-file.ts";
