export { readCommands } from "./read-commands.ts";
export {
  type CommandAssignment,
  type CommandInput,
  type CommandLine,
  type CommandScope,
  isInheritedInput,
  isText,
  programName,
  type Redirection,
  type SimpleCommand,
  type Word,
  writesFile,
} from "./simple-command.ts";
export { isShell, readsScript } from "./started-commands.ts";
