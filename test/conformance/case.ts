import type { Action, EventName, HookMode, OnError, OutcomeType, WouldHave } from "@tenterhook/protocol";
import type { EffectMatcherInit } from "@tenterhook/protocol/internal";

// A case is data: the engine runs it in process, and any other host of hooks can run the same rows its own way.

/** An outcome as it would be written down. */
export interface WrittenOutcome {
  readonly type: OutcomeType;
  readonly reason?: string;
  /** Who may not decide what it asks; hosts refuse what they do not know. */
  readonly notBy?: string;
  readonly patch?: Readonly<Record<string, unknown>>;
  readonly context?: string;
  readonly result?: unknown;
}

/** What a hook does when it is called. */
export type Behaviour =
  | { readonly answers?: WrittenOutcome; readonly whenJudging?: WrittenOutcome }
  | { readonly throws: string }
  | { readonly hangs: true }
  | { readonly returns: unknown };

export interface CaseHook {
  readonly name: string;
  readonly does?: Behaviour;
  readonly priority?: number;
  readonly tool?: string;
  readonly pattern?: string;
  readonly effect?: EffectMatcherInit;
  readonly mode?: HookMode;
  readonly onError?: OnError;
  readonly always?: boolean;
  readonly rejudge?: boolean;
  readonly enforce?: boolean;
  readonly timeoutMs?: number;
}

/** What a person, or the host, does. */
export interface CaseHost {
  /** The approver knows who decides. */
  readonly enforcesNotBy?: boolean;
  readonly approver?: "approve" | "reject" | "throw" | { readonly edit: Readonly<Record<string, unknown>> };
  /** The host's schema check refuses values whose JSON contains this text. */
  readonly invalid?: string;
  /** The host's permission check refuses values whose JSON contains this text. */
  readonly forbidden?: string;
  readonly cancelled?: true;
}

export interface Case {
  /** A sentence that could be false. */
  readonly name: string;
  readonly event: EventName;
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly hooks: readonly CaseHook[];
  readonly host?: CaseHost;
  readonly expect: {
    readonly outcome?: OutcomeType;
    readonly action?: Action;
    /** Part of the reason. */
    readonly reason?: string;
    /** Fields of the final payload. */
    readonly payload?: Readonly<Record<string, unknown>>;
    readonly context?: readonly string[];
    readonly result?: unknown;
    /** Names in the order they were called, second judgements included. */
    readonly called?: readonly string[];
    /** Names of the hooks that failed, with the error's code. */
    readonly failed?: Readonly<Record<string, string>>;
    /** What hooks that are not enforced would have done, by their names. */
    readonly notEnforced?: Readonly<Record<string, WouldHave>>;
    /** Background hooks that ran. */
    readonly observed?: readonly string[];
  };
}
