import type { EventName } from "@tenterhook/protocol";
import type { Capabilities } from "./answers.ts";

/** A dotted path into a native payload; of several, the first with a value counts. */
export type Path = string | readonly string[];

/** Where a client's payloads have the fields of our events. */
export interface Fields {
  readonly sessionId: Path;
  readonly cwd: Path;
  readonly timestamp: Path;
  readonly permissionMode: Path;
  readonly toolName: Path;
  readonly toolInput: Path;
  readonly toolUseId: Path;
  readonly toolResult: Path;
  readonly durationMs: Path;
  readonly error: Path;
  readonly prompt: Path;
  readonly source: Path;
  readonly model: Path;
  readonly exitReason: Path;
  readonly stopReason: Path;
  readonly stopHookActive: Path;
  readonly finalMessage: Path;
  readonly agentId: Path;
  readonly agentType: Path;
  readonly task: Path;
  readonly trigger: Path;
  readonly message: Path;
  readonly title: Path;
  readonly notificationType: Path;
}

/** Something that a payload must be for a rule to apply. */
export interface Condition {
  readonly path: string;
  readonly is: "absent" | "present" | "empty" | { readonly equals: string | number | boolean };
}

/** One event of a client. */
export interface NativeEvent {
  /**
   * Our events, in the order they are fired. A later one is fired only if the one before did not refuse or keep the agent running. None: another
   * event of the client carries the same information.
   */
  readonly events: readonly EventName[];
  readonly capabilities: Capabilities;
  /** Whether the client waits for the answer. If not, an answer has no effect. Default true. */
  readonly waits?: boolean;
  /** A payload for which all of these are true does not mean what the event's name says, and is ignored. */
  readonly ignoredWhen?: readonly Condition[];
  /** When these are true, the tool failed: `after_tool_failure` is fired instead of `after_tool`. */
  readonly failedWhen?: readonly Condition[];
  /** How the run ended, where the event's name says it. */
  readonly endsAs?: "stopped";
  /** Fields with other paths than in the client's other events. */
  readonly fields?: Partial<Fields>;
  /** Whether `install` writes an entry for it. Default: when it has events of ours. */
  readonly isInstalled?: boolean;
  /** Its matcher in the client's configuration, where it must have one. */
  readonly matcher?: string;
  /** How long the client waits, where that differs from the client's `timeout`. */
  readonly timeout?: Partial<Timeout>;
  /** How often in a row the client can be kept from stopping, where it counts. */
  readonly stopLimit?: number;
  /** When the client does not deliver it. */
  readonly lost?: string;
}

/** How long a client waits for a hook, in milliseconds. */
export interface Timeout {
  /** When its configuration has none. */
  readonly default: number;
  /** What `install` writes. */
  readonly asked: number;
}
