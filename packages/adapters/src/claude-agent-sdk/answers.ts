/** The JSON decision of a callback, as far as the adapter uses it. */
export interface HookAnswer {
  continue?: boolean;
  stopReason?: string;
  decision?: "approve" | "block";
  reason?: string;
  systemMessage?: string;
  hookSpecificOutput?: PreToolUseOutput | PostToolUseOutput | PromptOutput | FailureOutput;
}

/** What a callback of `PreToolUse` may decide. */
export interface PreToolUseOutput {
  hookEventName: "PreToolUse";
  permissionDecision?: "allow" | "deny" | "ask";
  permissionDecisionReason?: string;
  updatedInput?: Record<string, unknown>;
  additionalContext?: string;
}

/** What a callback of `PostToolUse` may decide. */
export interface PostToolUseOutput {
  hookEventName: "PostToolUse";
  updatedToolOutput?: unknown;
  additionalContext?: string;
}

interface PromptOutput {
  hookEventName: "UserPromptSubmit";
  additionalContext?: string;
  suppressOriginalPrompt?: boolean;
}

interface FailureOutput {
  hookEventName: "PostToolUseFailure";
  additionalContext?: string;
}

/** Refuses a tool call. The model reads the reason after `PreToolUse:<tool> hook error: `. */
export function deny(reason: string, context: readonly string[] = []): HookAnswer {
  return {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: reason,
      ...addedContext(context),
    },
  };
}

/** Ends the agent. In `PreToolUse` this alone would still run the tool: `denyAndStop`. */
export function stopAgent(reason: string): HookAnswer {
  return { continue: false, stopReason: reason };
}

/** Refuses a tool call and ends the agent. */
export function denyAndStop(reason: string): HookAnswer {
  return { ...deny(reason), ...stopAgent(reason) };
}

/** Refuses a prompt, so that no model is called. */
export function refusePrompt(reason: string): HookAnswer {
  return {
    decision: "block",
    reason,
    hookSpecificOutput: { hookEventName: "UserPromptSubmit", suppressOriginalPrompt: true },
  };
}

/** Keeps the agent running; the model reads the feedback. */
export function keepRunning(feedback: string): HookAnswer {
  return { decision: "block", reason: feedback };
}

/** The field with the context that hooks added, if there is any. */
export function addedContext(context: readonly string[]): { additionalContext?: string } {
  return context.length === 0 ? {} : { additionalContext: context.join("\n") };
}
