/** One entry of a conversation: a message, or a tool call with its result. */
export type TranscriptEntry = TextEntry | ToolEntry;

interface Common {
  readonly id: string;
  /** The subagent, or the path to a nested one. */
  readonly subagent: string | undefined;
  readonly timestamp: string;
  readonly step: number | undefined;
}

/** Consecutive output of one role. */
export interface TextEntry extends Common {
  readonly role: "user" | "agent" | "reasoning" | "program" | "hooks" | "refusal" | "note";
  text: string;
  /** The text is JSON. */
  readonly isData: boolean;
  /** The model call was retried, or its answer was refused. */
  isDiscarded: boolean;
}

/** A call as the agent asked for it, and how it ended. */
export interface ToolEntry extends Common {
  readonly role: "tool";
  readonly name: string;
  readonly input: unknown;
  status: "running" | "completed" | "skipped" | "failed" | "blocked";
  result: unknown;
  /** Why it failed or was refused. */
  reason: string | undefined;
  /** The hook that refused it. */
  refusedBy: string | undefined;
  /** What hooks did with it besides: `scrub changed result`. */
  readonly acts: string[];
}
