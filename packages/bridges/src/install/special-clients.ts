import type { EntryForm } from "../definition/configuration.ts";
import * as codex from "./codex-trust.ts";
import { type PluginCommand, pluginText } from "./opencode-plugin.ts";

/** What a client must have recorded before it runs our entries. */
export interface HashTrust {
  /** The file that it is recorded in, beside the file of the entries. */
  readonly file: string;
  entriesIn(path: string, text: string, form: EntryForm): readonly codex.TrustedEntry[];
  put(
    text: string,
    trust: readonly codex.TrustedEntry[],
  ): { readonly text: string; readonly changed: readonly string[] } | { readonly problem: string };
  take(text: string, trust: readonly Pick<codex.TrustedEntry, "key" | "hash">[]): string;
  /** What the client does with entries of others that have moved. */
  readonly whenMoved: string;
  /** Why the client would skip our entries. */
  problems(config: string, trust: readonly codex.TrustedEntry[]): readonly string[];
  /** The events whose entries the user has turned off in the client. */
  turnedOff(config: string, trust: readonly codex.TrustedEntry[]): readonly string[];
}

/** Clients that need code to be installed; for all others the data of their folder is enough. */
export const HASH_TRUST: Readonly<Record<string, HashTrust>> = {
  codex: {
    file: "config.toml",
    whenMoved: "Codex skips them until it has asked you about them again: start codex",
    entriesIn: codex.codexTrust,
    put: codex.putCodexTrust,
    take: codex.takeCodexTrust,
    problems: codex.codexTrustProblems,
    turnedOff: codex.codexTurnedOff,
  },
};

export const PLUGINS: Readonly<Record<string, (command: PluginCommand) => string>> = { opencode: pluginText };
