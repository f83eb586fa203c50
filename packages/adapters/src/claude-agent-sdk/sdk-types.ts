// The parts of the Claude Agent SDK's types that the adapter uses: its package is large and optional. The real types are checked
// against these in test/adapters/claude-agent-sdk.

/** What a callback of any event is given; each event has some of these fields. */
export interface HookInput {
  readonly hook_event_name: string;
  readonly session_id: string;
  readonly cwd: string;
  /** The subagent that the event happens in; absent for the main agent. */
  readonly agent_id?: string | undefined;
  readonly agent_type?: string | undefined;
  readonly prompt?: string;
  readonly tool_name?: string;
  readonly tool_input?: unknown;
  readonly tool_use_id?: string;
  readonly tool_response?: unknown;
  readonly tool_calls?: readonly BatchCall[];
  readonly error?: string;
  readonly last_assistant_message?: string;
  readonly trigger?: string;
}

/** A call of a batch that has ended. `tool_response` is what the model will read. */
interface BatchCall {
  readonly tool_name: string;
  readonly tool_input: unknown;
  readonly tool_use_id: string;
  readonly tool_response?: unknown;
}

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
interface PostToolUseOutput {
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

/** The adapter's own callback. */
export type Callback = (
  input: unknown,
  toolUseId: string | undefined,
  options: { readonly signal: AbortSignal },
) => Promise<HookAnswer>;

/** A callback of the user, whose input the SDK types by its event. */
export type UserCallback = (
  input: never,
  toolUseId: string | undefined,
  options: { signal: AbortSignal },
) => Promise<object>;

/** An entry of the option `hooks`. */
export interface HookMatcher<C> {
  matcher?: string;
  hooks: C[];
  /** In seconds. */
  timeout?: number;
  onFailure?: "continue" | "block";
}

/** What a person, or a program for them, decided about a tool call. */
export type PermissionResult =
  | { behavior: "allow"; updatedInput?: Record<string, unknown> }
  | { behavior: "deny"; message: string; interrupt?: boolean };

/** The option `canUseTool`; its third argument has more fields in the SDK. */
export type CanUseTool = (
  toolName: string,
  input: Record<string, unknown>,
  options: never,
) => Promise<PermissionResult | null>;

/** What the adapter passes on to `canUseTool`. */
export interface PermissionContext {
  readonly signal: AbortSignal;
  readonly toolUseID: string;
  readonly agentID?: string;
  readonly decisionReason?: string;
}

/** The options of a query that the adapter reads or changes. */
export interface ClaudeOptions {
  hooks?: { [event: string]: HookMatcher<UserCallback>[] | undefined };
  canUseTool?: CanUseTool;
  abortController?: AbortController;
  sessionId?: string;
  resume?: string;
  continue?: boolean;
  cwd?: string;
  model?: string;
}

/** The options that `claudeHooks` makes when it is given none. */
export interface HookedOptions {
  hooks: { [E in CallbackEvent]: HookMatcher<Callback>[] };
}

/** The events of the SDK that the adapter has callbacks for. `SessionStart` and `SessionEnd` never reach a callback. */
export type CallbackEvent =
  | "UserPromptSubmit"
  | "PreToolUse"
  | "PostToolUse"
  | "PostToolUseFailure"
  | "PostToolBatch"
  | "Stop"
  | "StopFailure"
  | "SubagentStart"
  | "SubagentStop"
  | "PreCompact";

/** The message at the end of a turn. */
export interface ResultMessage {
  readonly type: "result";
  readonly subtype: string;
  readonly is_error?: boolean;
  readonly result?: string;
  readonly errors?: readonly string[];
  readonly terminal_reason?: string;
  readonly usage?: { readonly input_tokens?: number; readonly output_tokens?: number };
}
