import type { Insights } from "@tenterhook/protocol/runs";
import { expect, test } from "vitest";
import { valueAt, withValueAt } from "./editing/json-object.ts";
import { outcomeLabel } from "./insights/outcome-groups.ts";
import { fieldsOf } from "./parameters/fields.ts";
import { fieldErrors, firstValues } from "./parameters/form-values.ts";
import { failureAdvice } from "./run/head/failure-advice.ts";
import { hookSummary } from "./run/hooks/hook-summary.ts";
import { stateOfAct } from "./run/timeline/hook-act.ts";
import { runTimeline } from "./run/timeline/run-timeline.ts";
import { detailOf, eventsOf, hookOf } from "./run/timeline/timeline-fixtures.ts";
import { countedNumber } from "./runs/counted.ts";
import { NO_FILTERS } from "./runs/run-filters.ts";

/** What every plain object has. A runner, a hook or an address may say any of them. */
const INHERITED = ["constructor", "toString", "__proto__", "hasOwnProperty", "valueOf"];

test.each(INHERITED)("%s is only a word: as an action, an outcome, an error code and a format", (word) => {
  const act = { hook: "guard", event: "before_tool", reason: undefined, changed: [], failed: false };
  expect(stateOfAct({ ...act, action: word, notEnforced: undefined })).toBe("done");
  expect(outcomeLabel(word)).toBe(word.replaceAll("_", " "));
  expect(failureAdvice(word)).toBeUndefined();
  const [field] = fieldsOf({ type: "object", properties: { at: { type: "string", format: word } } }) ?? [];
  expect(field).toMatchObject({ type: "text" });
  expect(JSON.stringify(field)).toBe(JSON.stringify({ ...field, placeholder: undefined }));
});

test.each(INHERITED)("%s is only a word: as the status of a call in a subagent", (status) => {
  const ended = { tool_use_id: "b", tool_name: "Shell", step: 1, status, duration_ms: 1 };
  const of = (event: object) => ({ subagent: "helper", tool_use_id: "a", event });
  const events = eventsOf(
    ["run_started", 0, { runner_id: "runner_1" }],
    ["step_start", 1, { step: 1 }],
    ["tool_start", 1, { step: 1, tool_use_id: "a", tool_name: "Task", tool_input: {} }],
    ["subagent", 2, of({ event_type: "step_start", step: 1 })],
    ["subagent", 3, of({ event_type: "tool_start", tool_input: {}, ...ended })],
    ["subagent", 4, of({ event_type: "tool_end", ...ended })],
  );
  const { rows } = runTimeline(detailOf({ status: "running" }), events);
  expect(rows.filter(({ state }) => typeof state !== "string")).toEqual([]);
});

test.each(INHERITED)("%s is only a word: as what a hook answers that is not enforced", (action) => {
  const { decided } = hookSummary(
    hookOf({ hook_type: "on_run_finish", state: "done", enforce: false, output: { action } }),
    [],
  );
  expect(decided).toBe("is done");
});

test.each(INHERITED)("%s in an address is an outcome that was never counted", (outcome) => {
  const [from, to] = ["2026-11-17T00:00:00.000Z", "2026-11-18T00:00:00.000Z"];
  const insights = { since: from, until: to, current: { decisions: { blocked: 2 } }, hooks: [] };
  const filters = { ...NO_FILTERS, from, to, time: "active", decision: ["blocked", outcome] } as const;
  expect(countedNumber(filters, insights as unknown as Insights)).toBe(2);
});

test.each(["constructor", "toString", "valueOf"])("a parameter may be called %s", (name) => {
  const fields =
    fieldsOf({ type: "object", required: [name], properties: { [name]: { type: "string" } } }) ?? [];
  expect(fieldErrors(fields, firstValues(fields))).toEqual([{ path: [name], message: "Required." }]);
  expect(valueAt({ a: {} }, `a.${name}`)).toBeUndefined();
  expect(withValueAt({ a: 1 }, name, 2)).toEqual({ a: 1, [name]: 2 });
});
