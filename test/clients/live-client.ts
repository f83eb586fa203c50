import type { Step } from "./model-protocols.ts";

/** The folders of a client, and its model. */
export interface ClientLocation {
  readonly home: string;
  readonly project: string;
  /** The address of the fake model. */
  readonly model: string;
}

export interface Start {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** How a test starts a client, and what its model calls the shell. */
export interface LiveClient {
  readonly id: string;
  /** The files in the home folder that `install` writes into, that of the entries first. */
  readonly installed: readonly string[];
  /** In seconds, or as the client counts. */
  timeout(seconds: number): number;
  /** The client's own files in the home folder, before Tenterhook is installed. */
  files(at: ClientLocation): Readonly<Record<string, string>>;
  shell(command: string): Step;
  /** It takes no changed input: what a hook changes is refused. */
  readonly takesNoChanges?: true;
  /** It cannot be kept running when it stops. */
  readonly cannotBeKeptRunning?: true;
  /** A refused call ends its run, and its model does not get the reason. */
  readonly refusalEndsRun?: true;
  /** Without a person it delivers no prompt to hooks, so that nothing is added to one. */
  readonly deliversNoPrompt?: true;
  /** What makes it run entries whose hash was not recorded. */
  readonly untrusted?: readonly string[];
  /** It replaces the result of a tool; others are told not to rely on it. */
  readonly replacesResults?: true;
  /** An objection to a result reaches its model with the next prompt only. */
  readonly objectsLater?: true;
  /** How often a stop gate that never agrees keeps it running; default: as often as the bridge lets a gate. */
  readonly timesKeptRunning?: number;
  /** What it is started with once, before its first run. */
  prepare?(at: ClientLocation): Start;
  /** Without a person: it asks nothing. */
  start(at: ClientLocation): Start;
  /** On a terminal, where it asks the person before it runs a command. */
  onTerminal: {
    readonly args: readonly string[];
    /** A command that it asks about. */
    shell(command: string): Step;
    /** The text of the question. */
    readonly question: string;
    /** What must be typed before it begins: at this text, these keys. */
    readonly keys: Readonly<Record<string, string>>;
  };
}
