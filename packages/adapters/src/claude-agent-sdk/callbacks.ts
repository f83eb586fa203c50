import type { Dispatch } from "@tenterhook/engine";
import { afterStep, type HostRun, holdAtStop, type TurnStart, toError } from "@tenterhook/engine/host";
import { messageOf } from "@tenterhook/internal";
import type { EventName } from "@tenterhook/protocol";
import {
  addedContext,
  deny,
  denyAndStop,
  keepRunning,
  refusePrompt,
  stopAgent,
  withhold,
} from "./answers.ts";
import type {
  Callback,
  CallbackEvent,
  HookAnswer,
  HookInput,
  HookMatcher,
  UserCallback,
} from "./sdk-types.ts";
import type { ClaudeSession } from "./session.ts";
import { afterTool, afterToolFailure, beforeTool, closeBatch } from "./tool-callbacks.ts";

type Handler = (input: HookInput, signal: AbortSignal) => Promise<HookAnswer>;

/** In seconds. Hooks have timeouts of their own; after one of Claude Code a result would pass as it is. */
const TIMEOUT = 20 * 24 * 3600;

/** The user's own callbacks that are called inside the adapter's, before the hooks. */
interface UserMatchers {
  readonly PreToolUse: readonly HookMatcher<UserCallback>[];
  readonly PostToolUse: readonly HookMatcher<UserCallback>[];
}

/** One callback per event; each dispatches once, so that hooks run in their own order. */
export function makeCallbacks(
  session: ClaudeSession,
  user: UserMatchers,
  prepared: () => Promise<TurnStart> | undefined,
): { [E in CallbackEvent]: HookMatcher<Callback>[] } {
  return {
    UserPromptSubmit: entry(session, (input) => submitPrompt(session, input, prepared())),
    PreToolUse: entry(session, (input, signal) => beforeTool(session, input, signal, user.PreToolUse)),
    PostToolUse: entry(session, (input, signal) => afterTool(session, input, signal, user.PostToolUse)),
    PostToolUseFailure: entry(session, (input) => afterToolFailure(session, input)),
    PostToolBatch: entry(session, (input) => closeBatch(session, input)),
    Stop: entry(session, (input) => askStop(session, input)),
    StopFailure: entry(session, (input) => reportFailure(session, input)),
    SubagentStart: entry(session, async (input) => {
      session.findRun(input);
      return {};
    }),
    SubagentStop: entry(session, (input) => askSubagentStop(session, input)),
    PreCompact: entry(session, (input) => beforeCompaction(session, input)),
  };
}

/**
 * The entry of an event. A callback never rejects: Claude Code would run the tool, pass the result on or let the agent stop.
 * `onFailure` is for an answer that is lost on the way.
 */
function entry(session: ClaudeSession, handler: Handler): HookMatcher<Callback>[] {
  const callback: Callback = async (input, _toolUseId, { signal }) => {
    // The SDK's own types describe it; every field is read with care.
    const hookInput = input as HookInput;
    try {
      const { stopped } = session;
      if (stopped !== undefined && ENDS_AT_ONCE.has(hookInput.hook_event_name))
        return stopAnswer(hookInput, stopped);
      return await handler(hookInput, signal);
    } catch (error) {
      const { stopped } = session;
      return stopped === undefined ? failureAnswer(hookInput, error) : stopAnswer(hookInput, stopped);
    }
  };
  return [{ hooks: [callback], timeout: TIMEOUT, onFailure: "block" }];
}

/** Events that need not be handled once the run was stopped; a tool call that has started still gets its after-event. */
const ENDS_AT_ONCE = new Set(["UserPromptSubmit", "PreToolUse", "Stop", "SubagentStop", "PreCompact"]);

/** Ends the agent; `continue: false` alone lets the tool of `PreToolUse` run. */
function stopAnswer(
  { hook_event_name: event, tool_response: output }: HookInput,
  { message }: Error,
): HookAnswer {
  if (event === "PreToolUse") return denyAndStop(message);
  if (event === "PostToolUse") return { ...withhold(output, message), ...stopAgent(message) };
  if (event === "PreCompact") return { decision: "block", ...stopAgent(message) };
  return stopAgent(message);
}

/** The answer after a defect, or when the caller has aborted the run: nothing passes that hooks have not seen. */
function failureAnswer(input: HookInput, error: unknown): HookAnswer {
  const reason = `the hooks could not be called: ${messageOf(error)}`;
  switch (input.hook_event_name) {
    case "PreToolUse":
      return deny(reason);
    case "PostToolUse":
      return withhold(input.tool_response, reason);
    case "UserPromptSubmit":
      return refusePrompt(reason);
    case "PostToolBatch":
    case "Stop":
      return stopAgent(reason);
    default:
      return {};
  }
}

async function submitPrompt(
  session: ClaudeSession,
  input: HookInput,
  prepared: Promise<TurnStart> | undefined,
): Promise<HookAnswer> {
  const { prompt = "" } = input;
  const beginning = await (prepared ?? session.begin(prompt, input));
  if (beginning.type === "refused") return refusePrompt(beginning.reason);
  if (prepared === undefined && beginning.message !== prompt) {
    session.turn.isRefused = true;
    return refusePrompt(CANNOT_CHANGE);
  }
  const context = addedContext(beginning.context);
  return { hookSpecificOutput: { hookEventName: "UserPromptSubmit", ...context } };
}

const CANNOT_CHANGE =
  "a hook changed the message, which a callback of the Claude Agent SDK cannot carry. Use withHooks(query, hooks), and give it the prompt as a text.";

async function askStop(session: ClaudeSession, input: HookInput): Promise<HookAnswer> {
  const { turn } = session;
  try {
    return (await askGate(session, turn.run, input)) ?? {};
  } catch (error) {
    if (session.stopped !== undefined) throw error;
    turn.error = error as Error;
    return stopAgent(messageOf(error));
  }
}

async function askSubagentStop(session: ClaudeSession, input: HookInput): Promise<HookAnswer> {
  const { agent_id: agentId = "", last_assistant_message: text = "" } = input;
  try {
    const answer = await askGate(session, session.findRun(input), input);
    if (answer !== undefined) return answer;
  } catch (error) {
    // What a stop ends here is only the subagent: the session is stopped at the next event of its parent.
    if (session.stopped !== undefined) throw error;
    // The parent's call of the tool fails with it.
    session.failedSubagents.set(agentId, error as Error);
  }
  await session.endSubagent(agentId, text);
  return {};
}

/** Ends the step of an agent that has given an answer, and asks whether it may stop. */
async function askGate(
  session: ClaudeSession,
  run: HostRun,
  { agent_id: agentId, last_assistant_message: text = "" }: HookInput,
): Promise<HookAnswer | undefined> {
  await session.calls.refuseAll(agentId);
  run.steps.begin();
  run.steps.recordAnswer(text, []);
  await afterStep(run, []);
  const answer = await holdAtStop(run, text);
  return answer.type === "go_on" ? keepRunning(answer.feedback) : undefined;
}

/** The model failed. Nothing can be recovered here: the query ends with the error. */
async function reportFailure(session: ClaudeSession, input: HookInput): Promise<HookAnswer> {
  const { turn } = session;
  const error = new Error(input.last_assistant_message ?? input.error ?? "the model failed");
  const offered = await turn.run.fireAfter("on_error", { error, phase: "llm" });
  warnOfMissingEffect(session, turn.run, offered);
  const remaining = offered.outcome.type === "recover" ? error : toError(offered.payload.error);
  if (session.isHosted) turn.modelError = remaining;
  else await turn.run.fireLast("agent_failed", { error: remaining });
  return {};
}

/** At these events a hook that cannot be followed does not fail the turn. */
function warnOfMissingEffect(session: ClaudeSession, run: HostRun, dispatch: Dispatch<EventName>): void {
  try {
    run.checkEffects(dispatch);
  } catch (error) {
    session.warn(messageOf(error));
  }
}

async function beforeCompaction(session: ClaudeSession, input: HookInput): Promise<HookAnswer> {
  const run = session.findRun(input);
  const { trigger } = input;
  const before = await run.fire("pre_compact", trigger === undefined ? {} : { trigger });
  warnOfMissingEffect(session, run, before);
  return before.action === "refuse"
    ? { decision: "block", reason: before.reason ?? "a hook refused the compaction" }
    : {};
}
