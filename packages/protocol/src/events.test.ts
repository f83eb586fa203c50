import { describe, expect, test } from "vitest";
import { ACTIONS } from "./actions.ts";
import type { FieldKind } from "./event-row.ts";
import { actionFor, EVENT_NAMES, eventRow, isEventName } from "./events.ts";
import { OUTCOME_TYPES, type OutcomeType } from "./outcomes.ts";
import { eventJsonSchema, type JsonSchema, payloadSchemas } from "./schemas.ts";

const WITH: Readonly<Record<"skip" | "ask" | "recover", readonly string[]>> = {
  skip: ["before_step", "before_llm", "before_tool"],
  ask: ["before_tool", "on_run_start", "on_tool_call"],
  recover: ["after_tool_failure", "on_error"],
};

const TOO_LATE = [
  "session_end",
  "notification",
  "after_agent",
  "agent_failed",
  "on_run_finish",
  "on_run_error",
  "on_timeout",
];

test("the table has these events, in the order of an agent's life", () => {
  expect(EVENT_NAMES).toEqual([
    "session_start",
    "session_end",
    "before_agent",
    "after_agent",
    "before_step",
    "after_step",
    "before_llm",
    "after_llm",
    "before_tool",
    "after_tool",
    "after_tool_failure",
    "before_stop",
    "subagent_start",
    "subagent_stop",
    "pre_compact",
    "permission_request",
    "notification",
    "on_error",
    "agent_failed",
    "on_run_start",
    "on_tool_call",
    "on_result",
    "on_run_finish",
    "on_run_error",
    "on_timeout",
  ]);
});

describe.each(EVENT_NAMES)("the row of %s", (event) => {
  const row = eventRow(event);

  test("lets a hook proceed, block and stop, and has no outcome twice or of an unknown type", () => {
    expect(row.outcomes.slice(0, 3)).toEqual(["proceed", "block", "stop"]);
    expect(new Set(row.outcomes).size).toBe(row.outcomes.length);
    for (const outcome of row.outcomes) expect(OUTCOME_TYPES).toContain(outcome);
  });

  test("gives every outcome it has, and a failure, a meaning in words and an action", () => {
    for (const outcome of row.outcomes) expect(Object.keys(ACTIONS)).toContain(actionFor(event, outcome));
    for (const { action, means } of [row.block, row.failure]) {
      expect(Object.keys(ACTIONS)).toContain(action);
      expect(means).not.toBe("");
    }
    expect(row.when).not.toBe("");
  });

  test.each(["skip", "ask", "recover"] as const)("may %s at the events of the design", (outcome) => {
    expect(row.outcomes.includes(outcome)).toBe(WITH[outcome].includes(event));
  });

  test("explains skip, recover and what an approver edits exactly where it has those outcomes", () => {
    expect(row.skip !== undefined).toBe(row.outcomes.includes("skip"));
    expect(row.recover !== undefined).toBe(row.outcomes.includes("recover"));
    expect(row.edits !== undefined).toBe(row.outcomes.includes("ask"));
    if (row.edits !== undefined) expect(Object.keys(row.changes)).toContain(row.edits);
  });

  test("maps proceed to go_on, and stop to stop unless nothing is left to stop", () => {
    expect(actionFor(event, "proceed")).toBe("go_on");
    expect(actionFor(event, "stop")).toBe(TOO_LATE.includes(event) ? "record" : "stop");
    if (TOO_LATE.includes(event)) expect(row.block.action).toBe("record");
  });

  test("treats an ask without an approver as a block", () => {
    expect(actionFor(event, "ask")).toBe(actionFor(event, "block"));
  });

  test("lets only fields be changed that the payload has, with the shape that they have there", () => {
    const schema = eventJsonSchema(event) as { properties: Record<string, JsonSchema> };
    const fields = payloadSchemas[event].shape as Record<string, unknown>;
    for (const [field, kind] of Object.entries(row.changes)) {
      expect(Object.keys(fields)).toContain(field);
      const wire = field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      expect(kindOf(schema.properties[wire])).toBe(kind);
    }
  });

  test("carries a tool's name and input, which no hook can rename, if it is a tool event", () => {
    const { required } = eventJsonSchema(event) as { required: readonly string[] };
    expect(required.includes("tool_name") && required.includes("tool_input")).toBe(row.tool === true);
    expect(Object.keys(row.changes)).not.toContain("toolName");
  });
});

test("a block and a failing hook have the actions of the design", () => {
  const meaning = Object.fromEntries(
    EVENT_NAMES.map((event) => [event, [eventRow(event).block.action, eventRow(event).failure.action]]),
  );
  expect(meaning).toEqual({
    session_start: ["refuse", "refuse"],
    session_end: ["record", "record"],
    before_agent: ["refuse", "refuse"],
    after_agent: ["record", "raise"],
    before_step: ["skip", "fail"],
    after_step: ["record", "fail"],
    before_llm: ["fail", "fail"],
    after_llm: ["refuse", "fail"],
    before_tool: ["refuse", "refuse"],
    after_tool: ["refuse", "refuse"],
    after_tool_failure: ["record", "record"],
    before_stop: ["hold", "release"],
    subagent_start: ["refuse", "refuse"],
    subagent_stop: ["hold", "release"],
    pre_compact: ["refuse", "record"],
    permission_request: ["refuse", "refuse"],
    notification: ["record", "record"],
    on_error: ["record", "record"],
    agent_failed: ["record", "record"],
    on_run_start: ["refuse", "refuse"],
    on_tool_call: ["refuse", "refuse"],
    on_result: ["refuse", "refuse"],
    on_run_finish: ["record", "record"],
    on_run_error: ["record", "record"],
    on_timeout: ["record", "record"],
  });
});

test("guards are the events at which a hook can keep something from happening", () => {
  expect(EVENT_NAMES.filter((event) => eventRow(event).guards)).toEqual([
    "session_start",
    "before_agent",
    "before_step",
    "before_llm",
    "before_tool",
    "subagent_start",
    "permission_request",
  ]);
});

test("the fields that a process may change as input or result are fields that a hook may change", () => {
  const columns = EVENT_NAMES.map((event) => ({ event, ...eventRow(event) }));
  expect(columns.flatMap(({ event, input }) => (input ? [[event, input]] : []))).toEqual([
    ["before_agent", "message"],
    ["before_tool", "toolInput"],
    ["subagent_start", "taskDescription"],
  ]);
  expect(columns.flatMap(({ event, result }) => (result ? [[event, result]] : []))).toEqual([
    ["after_tool", "toolResult"],
    ["after_tool_failure", "toolResult"],
  ]);
  for (const { input, result, changes } of columns) {
    for (const field of [input, result])
      if (field !== undefined) expect(Object.keys(changes)).toContain(field);
  }
});

test("skip and recover mean themselves wherever a row has them", () => {
  const outcomes: readonly OutcomeType[] = ["skip", "recover"];
  for (const event of EVENT_NAMES) {
    for (const outcome of outcomes) {
      if (eventRow(event).outcomes.includes(outcome)) expect(actionFor(event, outcome)).toBe(outcome);
    }
  }
});

test.each([
  "toString",
  "__proto__",
  "constructor",
  "",
  "before_Tool",
  "PreToolUse",
  undefined,
  null,
  5,
  ["before_tool"],
])("%j is no event's name", (name) => {
  expect(isEventName(name)).toBe(false);
});

/** The kind that a field's JSON Schema amounts to, whether or not it may also be null. */
function kindOf(schema: JsonSchema | undefined): FieldKind | undefined {
  const options = (schema?.anyOf as JsonSchema[] | undefined)?.filter(({ type }) => type !== "null");
  const { type, properties } = (options?.[0] ?? schema ?? {}) as {
    type?: string | string[];
    properties?: object;
  };
  if (type === undefined) return "any";
  if (properties !== undefined && "message" in properties) return "error";
  return [type].flat().find((each) => each !== "null") as FieldKind;
}
