import type { Payload } from "@tenterhook/protocol";
import type { ApprovalDecision, ApprovalRequest } from "../answer/approval.ts";

/** A value, or a promise of one. */
export type Awaitable<T> = T | PromiseLike<T>;

/** A tool call of the model. */
export interface ToolCall {
  readonly toolName: string;
  /** The model's input; hooks see an empty object where it is not an object. */
  readonly toolInput: unknown;
  readonly toolUseId: string;
  /** Other names that matchers find the tool by. */
  readonly toolAliases?: readonly string[] | undefined;
}

/** An input of a tool as hooks see it: a frozen copy. */
export type ToolInput = Record<string, unknown>;

/** The input does not fit, or the call could not even be evaluated: it fails. */
export interface InvalidCall {
  readonly type: "invalid";
  readonly error: Error;
}

/** What the host checks about a call, and how it asks a person. */
export interface ToolChecks {
  /**
   * Called once, before the hooks: of a call that it refuses, no hook is asked, and `after_tool_failure` says so. An invalid call is also
   * offered to `on_error`. What it throws makes the call invalid.
   */
  before?(
    input: ToolInput,
  ): Awaitable<InvalidCall | { readonly type: "refused"; readonly reason: string } | undefined>;
  /** Checks each input that a hook or a person changed; returns or throws the problem, which is a failure of that hook. */
  validate?(input: ToolInput): Awaitable<string | undefined>;
  /** Called once, about the final input, if it was changed; returns or throws why the call is refused. */
  permit?(input: ToolInput): Awaitable<string | undefined>;
  /** The decision of a person who was asked through the framework. Read at most once, when a hook asks and the run has no approver. */
  readonly decision?: ApprovalDecision | undefined;
  /**
   * Asks a person through the framework, once for each question of a hook, if there is neither an approver nor a decision. `undefined`, for
   * `decideApproval` alone, leaves the question to its caller. What it throws pauses the run (`isPause`), or refuses the call.
   */
  ask?(question: ApprovalRequest): ApprovalDecision | undefined;
  /**
   * Called once, when hooks have let the call pass and before the next call is evaluated: the host's own approval, and the input for the
   * tool where it is not the one that hooks saw. What it throws makes the call invalid.
   */
  prepare?(
    input: ToolInput,
  ): Awaitable<
    | { readonly type: "run"; readonly input: unknown }
    | { readonly type: "refused"; readonly reason: string; readonly isRejected: boolean }
    | InvalidCall
  >;
  /** Whether the framework pauses the run by what a tool, a wrapper, `prepare` or `ask` threw: the call rejects with it, and no event follows. */
  isPause?(error: unknown): boolean;
}

/** How a host executes a tool. */
export interface ToolPort extends ToolChecks {
  /** Called once before the wrappers and the tool; not for a call that is skipped or refused. It must not throw. */
  started?(input: ToolInput): void;
  /**
   * Executes the tool; again if a wrapper calls `next` again, and never after a stop. `input` is that of `prepare`, or what the model wrote if
   * no hook changed it: the same object the first time, unless it is frozen; else a copy. The tool may write to it. `signal` gives the run's.
   * It may throw.
   */
  execute(input: unknown, signal: () => AbortSignal): unknown;
}

/** The decision about a tool call before it runs. */
export type Evaluation =
  | {
      readonly type: "run";
      readonly payload: Payload<"before_tool">;
      /** From `prepare`; absent without one. */
      readonly prepared: { readonly input: unknown } | undefined;
      readonly context: readonly string[];
    }
  | {
      readonly type: "skip";
      readonly payload: Payload<"before_tool">;
      readonly result: unknown;
      readonly context: readonly string[];
    }
  /** `isRejected`: a person refused it. */
  | { readonly type: "refused"; readonly reason: string; readonly isRejected: boolean }
  | InvalidCall;

/** A call that hooks were asked about. */
export interface AskedCall {
  readonly toolName: string;
  /** What hooks were asked about first. */
  readonly toolInput: ToolInput;
  /** Whether `before_tool` was fired, and the after-event of a call that was stopped by then. */
  firedBefore: boolean;
  firedAfter: boolean;
  /** Absent while there is none, and after a stop. Of an input that cannot be read there is one from the beginning. */
  evaluation: Evaluation | undefined;
}

/** Whether a person must be asked before the tool runs. */
export type ToolApproval =
  /**
   * No approval is needed: `callTool` runs, skips or refuses the call. `input` is what would be executed, for the framework's own policies: the
   * framework's object unless hooks changed it; absent if the call is not executed.
   */
  | { readonly type: "free"; readonly input?: unknown }
  /** `input` is the one that the person is asked about: hooks may have changed it. */
  | { readonly type: "needs_approval"; readonly reason: string; readonly input: ToolInput };

/** What a tool gave or threw. */
export type ToolOutcome = { readonly value: unknown } | { readonly error: unknown };

/** What a call ended with, for the model. */
export type ToolEnd = {
  /** The input that was executed, as hooks saw it. */
  readonly input: ToolInput;
  /** What hooks added for the model. */
  readonly context: readonly string[];
  /** Whether the tool was executed. */
  readonly started: boolean;
} /** `recovered`: the call failed, and the value is that of a hook. */ & (
  | {
      readonly type: "result";
      readonly value: unknown;
      readonly status: "completed" | "skipped" | "recovered";
    }
  /** The model reads the reason. `isRejected`: a person refused it. */
  | { readonly type: "refused"; readonly reason: string; readonly isRejected: boolean }
  /** `shown` is what the model reads: a text, or a value that a hook gave. */
  | { readonly type: "failed"; readonly error: Error; readonly shown: unknown }
  /** The run ends: its `stopped` says why. `reason` is for the model. */
  | { readonly type: "stopped"; readonly reason: string }
);
