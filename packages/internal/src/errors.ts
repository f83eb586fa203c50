import { shortened } from "./text.ts";
import { hasField, isInstanceOf, printed, readField } from "./values.ts";

/** Every kind of error. The list is closed; `docs/reference/errors.md` explains it. */
export const ERROR_CODES = {
  unknown_event: "No event has this name.",
  bad_hook: "A hook was registered with something that is not a hook, or with an option that does not exist.",
  bad_priority: "A priority is not an integer.",
  bad_timeout: "A timeout is not a number of milliseconds between 1 and 2,147,483,647.",
  bad_matcher: "A matcher is malformed, or is on an event that has no tool.",
  bad_pattern: "A pattern is not a regular expression.",
  unsupported_pattern:
    "A pattern needs a feature that no linear-time engine has (look-around, back-references).",
  unsupported_hook:
    "A hook needs an event or an effect that the framework which runs the agent does not have.",
  duplicate_hook: "Two hooks have the same id, or two named hooks the same name.",
  unknown_hook: "No hook is registered under this name.",
  next_called_twice: "A middleware called `next` more than once.",
  bad_outcome: "A hook answered with something that is not an outcome.",
  outcome_not_allowed: "A hook answered with an outcome that the event does not have.",
  patch_not_allowed:
    "A hook changed a field that the event's row does not list, or added context where there is none.",
  bad_patch:
    "A hook changed a field into something of the wrong shape, or the host's check refused the change.",
  hook_threw: "A hook threw, or its promise was rejected.",
  hook_timeout: "A hook took longer than its timeout.",
  hook_cancelled: "A hook was cancelled before it had answered.",
  matcher_threw: "A matcher's predicate threw.",
  approver_failed: "The approver threw, or answered with something that is not a decision.",
  gate_unsatisfied: "The agent stopped although its stop gate was not satisfied.",
  bad_hook_file:
    "A HOOK.md, hooks.toml or hook test is malformed, hooks cannot be read, or two of them have one name; the message names file, line and field.",
  hook_exit: "A hook's process ended with an exit code that is neither 0 nor 2.",
  hook_killed: "A hook's process was ended by a signal.",
  hook_not_started: "A hook's process could not be started: no script, not executable, or no interpreter.",
  hook_output:
    "A hook's process printed something that is not a decision: broken JSON, unknown values, or too much.",
  hook_untrusted: "A project's hook has never been trusted, so it was not run.",
  hook_tampered: "A trusted hook was changed, broken or removed since it was trusted.",
  trust_unknown:
    "The file of what is trusted cannot be read or has another shape, so it is not known whether a project's hook may run.",
  hook_gone:
    "A user's guard that was known is gone: its folder or HOOK.md is missing, empty or broken, it is disabled, or it no longer judges this event.",
  budget_exhausted: "A limit on calls, tokens, time or rate was reached.",
  json_limit: "A value is nested deeper, or longer as JSON, than the limits for what comes from outside.",
  bad_agent: "An agent's configuration is malformed, or names something that does not exist.",
  turn_refused: "A hook refused the user's message, so the agent did not run.",
  run_stopped: "A hook stopped the run.",
  model_call_refused: "A hook refused a model call, so the turn failed.",
  answer_refused: "Hooks refused the model's answers more often than the limit allows.",
  bad_output: "The final answer does not have the requested shape.",
  bad_tool_input: "A tool was called with input that its schema refuses, or does not exist.",
  tool_failed: "A tool failed.",
  tool_timeout: "A tool took longer than its timeout.",
  tool_blocked:
    "A tool was not run, or its result was withheld: a hook, a permission or a person refused it.",
  outside_work_folder: "A path leads out of the folder that the agent works in.",
  mcp_failed: "An MCP server could not be reached or started, or the connection was lost.",
  session_busy: "Another run of this session is in progress.",
  bad_session: "A stored session cannot be read, or its id cannot be used.",
  script_ended: "A scripted model was called more often than its script has answers.",
  bad_client: "A client's address, token or id cannot be sent.",
  bad_runner: "A runner's configuration is malformed, or names something that does not exist.",
  store_unavailable: "The database cannot be reached, or ended in the middle of a call.",
  store_full: "The disk of the database is full.",
  store_locked: "Another process uses this data folder.",
  store_changed: "The database lacks tables or columns of this version.",
  store_newer: "The database was written by a newer version.",
  coordinator_unreachable: "A request got no response: the connection failed or broke.",
  request_timeout: "A request got no response in time.",
  bad_response: "A response did not come from a coordinator: it is neither JSON nor a problem.",
} as const;

/** A code of the closed list. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** What an error is about, besides its message. */
export interface ErrorDetails {
  /** The hook's name, where a hook is the cause. */
  readonly hook?: string | undefined;
  readonly event?: string | undefined;
  /** What to do about it, as a sentence. */
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

// Registered, so that two copies of this package in one process recognise each other's errors.
const MARK = Symbol.for("tenterhook.error");

/**
 * The one error class. `code` is stable and identifies the case; the message names hook, event and remedy. Errors of a client's requests
 * have the codes of the coordinator's problems, too.
 */
export class TenterhookError<Code extends string = ErrorCode> extends Error {
  override readonly name = "TenterhookError";
  readonly code: Code;
  readonly hook: string | undefined;
  readonly event: string | undefined;
  readonly hint: string | undefined;
  /** The message alone: without the hook, the event and the hint. */
  readonly #problem: string;

  constructor(code: Code, message: string, details: ErrorDetails = {}) {
    super(sentence(message, details), details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.hook = details.hook;
    this.event = details.event;
    this.hint = details.hint;
    this.#problem = message;
    Object.defineProperty(this, MARK, { value: true });
  }

  /** The same error, as one of a hook: its message names the hook and the event. */
  naming({ hook, event }: Pick<ErrorDetails, "hook" | "event">): TenterhookError<Code> {
    const { hint, cause } = this;
    return new TenterhookError(this.code, this.#problem, { hook, event, hint, cause });
  }

  /** Recognises errors of any copy of this package, unlike `instanceof`. */
  static isInstance(value: unknown): value is TenterhookError {
    return hasField(value, MARK);
  }
}

function sentence(message: string, { hook, event, hint }: ErrorDetails): string {
  const who = hook === undefined ? "" : `hook "${hook}"`;
  const where = event === undefined ? "" : `on ${event}`;
  const subject = [who, where].filter(Boolean).join(" ");
  return `${subject === "" ? "" : `${subject}: `}${message}${hint === undefined ? "" : ` ${hint}`}`;
}

/** The longest text that is read of a thrown value. A longer one helps no reader, and takes memory wherever it is copied to. */
const LONGEST_MESSAGE = 65_536;

/** The message of anything that can be thrown. It never throws, whatever the value is. */
export function messageOf(thrown: unknown): string {
  const text = isInstanceOf(thrown, Error)
    ? readField(thrown, "message") || readField(thrown, "name")
    : thrown;
  return shortened(printed(text), LONGEST_MESSAGE);
}
