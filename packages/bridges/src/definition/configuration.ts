import type { Template } from "./answers.ts";

export type ConfigurationScope = "user" | "project" | "project-local";

/** A file that a client reads its hooks from, and that `install` may write to. */
export interface ConfigurationFile {
  /** `project`: committed with the project; `project-local`: in the project, for one person. Git does not ignore it by itself. */
  readonly scope: ConfigurationScope;
  /** Relative to the home folder or to the project. */
  readonly path: string;
  /** The variable that names another folder in place of the path's first part. */
  readonly home?: { readonly variable: string; readonly replaces: string };
  /** `script`: a program for each event, named after it. `plugin`: one file of JavaScript. */
  readonly format: "json" | "jsonc" | "toml" | "script" | "plugin";
  /** A key that the client does not know makes it refuse the file. */
  readonly isStrict: boolean;
  /** A file that does not exist begins as this. */
  readonly empty?: Template;
}

/** The form of an event's entry. */
export interface EntryForm {
  /** The keys that lead to the list of entries; `$event` is the native name. */
  readonly at: readonly string[];
  /** `$command`, `$timeout` (in the client's unit), `$matcher` and `$event` are put in. A key whose value is absent is left out. */
  readonly entry: Template;
  readonly timeoutUnit: "s" | "ms";
  /** Keys that are added to the innermost command object so that the client blocks when the hook fails. */
  readonly failClosed?: { readonly [key: string]: Template };
}

/** What a client requires before it runs an installed hook. */
export type Consent =
  /** Codex skips hooks without a recorded hash, silently. */
  | { readonly type: "codex_hash" }
  /** Hooks in a project run only in folders that the client trusts. */
  | { readonly type: "trusted_folder"; readonly how: string };

export interface Configuration {
  readonly files: readonly ConfigurationFile[];
  /**
   * What decides whether its hooks run, and what no agent must change: paths from the home or a project. A folder stands for everything
   * in it.
   */
  readonly guarded: readonly string[];
  readonly entry: EntryForm;
  readonly consent?: Consent;
  /**
   * What the client starts an entry's command with, outside Windows. A program without a path is found on the PATH; `$SHELL` is the
   * user's shell. Default: `/bin/sh -c`.
   */
  readonly shell?: readonly [program: string, option: string];
  /** Settings that turn all hooks off: a file's key with this value, or a list that has it. */
  readonly switches?: readonly {
    readonly path: string;
    readonly key: readonly string[];
    readonly off: boolean | string;
  }[];
  /** The client runs identical commands once, so a user's and a project's entry must be written alike. */
  readonly mergesIdentical: boolean;
}
