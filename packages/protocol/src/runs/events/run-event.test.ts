import { compileSchema } from "@tenterhook/internal/validate";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { eventsReport, isCoordinatorEvent } from "../runner-api.ts";
import { COORDINATOR_EVENTS } from "./coordinator-events.ts";
import { RUN_EVENT_TYPES } from "./event-types.ts";
import { isKnownEvent } from "./known-event.ts";
import { RUN_EVENTS, type RunEvent, runEvent } from "./run-event.ts";
import { RUNNER_EVENTS } from "./runner-events.ts";

const common = {
  id: "1-1",
  session_id: "ses_1",
  run_id: "run_1",
  number: 1,
  timestamp: "2026-01-01T00:00:00.000Z",
};

describe("the table of events", () => {
  test("says when each event is recorded, as a sentence", () => {
    for (const { when } of Object.values(RUN_EVENTS)) expect(when).toMatch(/^[A-Z].*\.$/);
  });

  test("has no field that every event has, because that one would be lost", () => {
    for (const { fields } of Object.values(RUN_EVENTS)) {
      expect(Object.keys(fields).filter((name) => name in common || name === "event_type")).toEqual([]);
    }
  });

  test("keeps what the coordinator records apart from what runners report", () => {
    expect(Object.keys(COORDINATOR_EVENTS).filter((type) => !isCoordinatorEvent(type))).toEqual([]);
    expect(Object.keys(RUNNER_EVENTS).filter((type) => isCoordinatorEvent(type))).toEqual([]);
  });
});

describe("an event", () => {
  test("of a known type has its fields, and may have more", () => {
    const claimed = { ...common, event_type: "run_claimed", runner_id: "r", attempt: 1, since: "a version" };
    expect(runEvent.parse(claimed)).toEqual(claimed);
  });

  test("of a type that only a newer runner knows is read as it is", () => {
    const event: RunEvent = { ...common, event_type: "thought", depth: 3 };
    expect(runEvent.parse(event)).toEqual(event);
    expect(isKnownEvent(event)).toBe(false);
  });

  const publishedSchema = z.toJSONSchema(runEvent, { io: "input" });

  test("of a known type does not pass for an unknown one in the published schema", () => {
    const { anyOf = [] } = publishedSchema;
    expect(anyOf).toHaveLength(RUN_EVENT_TYPES.length + 1);
    expect(anyOf.at(-1)).toMatchObject({ properties: { event_type: { not: { enum: RUN_EVENT_TYPES } } } });
  });

  test.each(RUN_EVENT_TYPES)(
    "of type %s with wrong fields is refused, here and by the published schema",
    (type) => {
      const fields = Object.keys(RUN_EVENTS[type].fields);
      const wrong = Object.fromEntries(fields.map((name) => [name, { wrong: true }]));
      const event = { ...common, event_type: type, ...(fields.length === 0 ? { id: 1 } : wrong) };
      expect(runEvent.safeParse(event).success).toBe(false);
      expect(compileSchema(publishedSchema)(event, "event")).toBeDefined();
    },
  );

  test.each([
    { event_type: "run_claimed", runner_id: "r", attempt: 1 },
    { event_type: "run_claimed", runner_id: "r" },
    { event_type: "run_claimed", runner_id: "r", attempt: "1" },
    { event_type: "run_preparing" },
    { event_type: "run_preparing", number: "1" },
    { event_type: "thought" },
    { event_type: "thought", id: 7 },
    { event_type: 7 },
    {},
  ])("is judged alike here and by the published schema: %j", (fields) => {
    const event = { ...common, ...fields };
    const fits = compileSchema(publishedSchema)(event, "event") === undefined;
    expect(runEvent.safeParse(event).success).toBe(fits);
  });
});

describe("a runner's report", () => {
  const report = (event_type: string, data: object) =>
    eventsReport.safeParse({
      lease_token: "11111111-1111-4111-8111-111111111111",
      first: 1,
      events: [{ event_type, data }],
    });

  test("is refused at the field when a known event lacks what it must have", () => {
    const { error } = report("tool_end", { step: 1, tool_use_id: "t", tool_name: "Shell", status: "odd" });
    expect(error?.issues.map(({ path }) => path.join("."))).toEqual([
      "events.0.data.status",
      "events.0.data.duration_ms",
    ]);
  });

  test("is taken with events of types that this version does not know", () => {
    expect(report("thought", { depth: 3 }).success).toBe(true);
  });

  test("is taken with fields that a newer version has added", () => {
    expect(report("log", { text: "x", colour: "red" }).success).toBe(true);
  });

  test("is taken with words that this version does not know, also those that every object has", () => {
    for (const action of ["dance", "constructor", "toString", "__proto__", "hasOwnProperty"])
      expect(report("hook_acted", { event: action, hook: action, action }).success).toBe(true);
  });

  test("is refused with a name, a word or a reason of more than 10,000 characters", () => {
    const acted = { event: "before_tool", hook: "guard", action: "refuse", reason: "x".repeat(10_000) };
    expect(report("hook_acted", acted).success).toBe(true);
    for (const field of Object.keys(acted)) {
      const { error } = report("hook_acted", { ...acted, [field]: "x".repeat(10_001) });
      expect(error?.issues.map(({ path }) => path.join("."))).toEqual([`events.0.data.${field}`]);
    }
    expect(report("log", { text: "x".repeat(500_000) }).success).toBe(true);
  });

  test("is refused at the field of an event in a subagent, however deep", () => {
    const subagent = (event: object) => ({ subagent: "helper", tool_use_id: "c", event });
    const inner = subagent({ event_type: "hook_acted", event: "before_tool", hook: "guard", action: 7 });
    const { error } = report("subagent", subagent({ event_type: "subagent", ...inner }));
    expect(error?.issues.map(({ path }) => path.join("."))).toEqual(["events.0.data.event.event.action"]);
    const foreign = report("subagent", subagent({ event_type: "hook_complete" }));
    expect(foreign.error?.issues[0]?.message).toMatch(/event of the coordinator/);
    expect(report("subagent", subagent({ event_type: "thought", depth: 3 })).success).toBe(true);
  });

  test("is refused with an event that only the coordinator may record", () => {
    expect(report("run_completed", {}).error?.issues[0]?.message).toMatch(/event of the coordinator/);
  });
});
