import type { EffectName } from "@tenterhook/protocol/internal";

export { EFFECT_NAMES, type EffectName, isEffect } from "@tenterhook/protocol/internal";

/** Where something happens: on this machine, inside a container that shares no folder, or on another host. */
export type Where = "here" | "container" | "remote";

/** What a content carries besides its text. */
export type ContentClass = "secret" | "environment" | "folder" | "remote" | "decoded" | "connection";

export interface PathTarget {
  readonly type: "path";
  /** Absolute and normalised. `*`, `?`, `[` and `**` stand for what the shell or the reader does not know. Without `**` at its start for `unknown`. */
  readonly path: string;
  /** The same with its links followed, if `files` could say. */
  readonly resolved: string;
  /** `folder`: a part behind a known folder is not known (`/tmp/$x`). `unknown`: nothing before the first unknown part is known (`$x/y`). */
  readonly known: "known" | "folder" | "unknown";
  /** Whether the shell fills in names: `*`, `?` and `[`. */
  readonly isGlob: boolean;
  /** Whether the same line created it before. */
  readonly isMade: boolean;
}

/** What is no path: a host, a branch, a package, a service. */
export interface NameTarget {
  readonly type: "host" | "name";
  readonly name: string;
  readonly known: "known" | "unknown";
}

export type Target = PathTarget | NameTarget;

/** One thing that a line does. */
export interface CommandEffect {
  readonly name: EffectName;
  readonly targets: readonly Target[];
  /** The command that causes it, without quotes. */
  readonly command: string;
  readonly where: Where;
  /** It runs as another user, as by `sudo`. */
  readonly isElevated: boolean;
  /** For `unreadable`: what cannot be read. */
  readonly reason?: string;
}

/** What the reader may ask about files. Each may answer `undefined` if it cannot know, and none may throw. */
export interface CommandFiles {
  /** The path with all its links followed; of a path that does not exist, with those of its folders followed. */
  realPath?(path: string): string | undefined;
  isFolder?(path: string): boolean | undefined;
  /** Whether there is anything: what a line makes where nothing was, it may remove. */
  exists?(path: string): boolean | undefined;
  /** Whether git ignores it. */
  isIgnored?(path: string): boolean | undefined;
}

export type ShellLanguage = "posix" | "powershell" | "cmd";

export interface ReadCommandOptions {
  /** The folder in which the line runs, which counts as the project. */
  readonly workDir: string;
  /** The user's own. Default: the `HOME` of `env`. */
  readonly home?: string | undefined;
  /** Variables that the line may use. The others are unknown. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Default `posix`. */
  readonly shell?: ShellLanguage | undefined;
  /** Without it, links are not followed, and a list of names stands for what git ignores. */
  readonly files?: CommandFiles | undefined;
  /** A person types what the line reads, and `commands` say who gets it. Effects of input do not count then. */
  readonly isTyped?: boolean | undefined;
}
