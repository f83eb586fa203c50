import {
  ask,
  block,
  type EventName,
  eventRow,
  type Outcome,
  proceed,
  stop,
  TenterhookError,
} from "@tenterhook/protocol";

/** What a hook's process said: an outcome, and a line for the log if it gave one. */
export interface Decision {
  readonly outcome: Outcome;
  readonly log?: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** Reads the standard output of a hook that ended well. Chatter is logged; JSON is obeyed; broken JSON is a failure. */
export function readDecision(event: EventName, stdout: string, isCut: boolean): Decision {
  const text = stdout.replace(/^\uFEFF/, "").trim();
  if (text === "") return { outcome: proceed() };
  if (!text.startsWith("{")) return { outcome: proceed(), log: text };
  if (isCut) throw wrong("it printed more JSON than is read (1 MiB)");
  const said = parse(text);
  const { log } = said;
  return { outcome: outcomeOf(event, said), ...(log !== undefined && { log: textOf(log) }) };
}

function outcomeOf(event: EventName, said: Fields): Outcome {
  // A refusal stands however clumsily it is worded; it must not fail open over a reason that is no text.
  const reason = said.reason === undefined ? undefined : textOf(said.reason);
  switch (said.decision) {
    case undefined:
    case null:
    case "allow":
    case "approve":
      return proceeding(event, said);
    case "deny":
    case "block":
      return block(reason ?? "blocked, no reason given");
    case "ask":
      return ask(reason ?? "a person must decide, no reason given");
    case "stop":
      return stop(reason ?? "stopped, no reason given");
    default:
      throw wrong(`its decision is ${shown(said.decision)}; it can be allow, deny, ask or stop`);
  }
}

function proceeding(event: EventName, said: Fields): Outcome {
  const context = optionalText(said, "additional_context");
  const patch = {
    ...changeOf(event, said, "modified_input", INPUTS),
    ...changeOf(event, said, "modified_result", RESULTS),
  };
  const changes = Object.keys(patch).length > 0;
  if (context !== undefined) return proceed(changes ? patch : undefined, { context });
  return changes ? proceed(patch) : proceed();
}

/** Which field of an event its input, and its result, is. */
const INPUTS: Readonly<Record<string, string>> = {
  before_tool: "toolInput",
  before_agent: "message",
  subagent_start: "taskDescription",
};
const RESULTS: Readonly<Record<string, string>> = {
  after_tool: "toolResult",
  after_tool_failure: "toolResult",
};

function changeOf(
  event: EventName,
  said: Fields,
  key: string,
  fields: Readonly<Record<string, string>>,
): Fields {
  const value = said[key];
  if (value === undefined || value === null) return {};
  const field = fields[event];
  if (field === undefined) throw wrong(`it gave ${key}, but ${event} has none to change`);
  if (eventRow(event).changes[field] === "object" && (typeof value !== "object" || Array.isArray(value))) {
    throw wrong(`its ${key} is ${shown(value)}; it must be an object`);
  }
  return { [field]: value };
}

function parse(text: string): Fields {
  let said: unknown;
  try {
    said = JSON.parse(text);
  } catch (error) {
    throw wrong(`it printed something that begins like JSON and is not (${(error as Error).message})`);
  }
  // Fields that we do not know are other hosts' and no reason to disregard what the hook decided.
  return said as Fields;
}

function optionalText(said: Fields, key: string): string | undefined {
  const value = said[key];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string") throw wrong(`its ${key} is ${shown(value)}; it must be text`);
  return value;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? String(value)).slice(0, 80);
}

function wrong(message: string): TenterhookError {
  return new TenterhookError("hook_output", `${message}.`);
}
