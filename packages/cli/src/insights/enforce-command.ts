import { shellQuoted } from "@tenterhook/internal";

/** The command that enforces a hook, to be copied into a shell: names are what other people and programs wrote. */
export function enforceCommand(name: string): string {
  return `tenterhook enforce ${/^\w[\w.-]*$/.test(name) ? name : shellQuoted(name)}`;
}
