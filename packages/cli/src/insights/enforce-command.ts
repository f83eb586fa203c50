import { shellWord, typedCommand } from "@tenterhook/internal";

/** The command that enforces a hook, to be copied into a shell: names are what other people and programs wrote. */
export function enforceCommand(name: string): string {
  return `${typedCommand()} enforce ${shellWord(name)}`;
}
