import { TALLY_OUTCOMES } from "@tenterhook/protocol/runs";
import { expect, test } from "vitest";
import { countGroup, groupValues, OUTCOME_GROUPS, outcomeLabel, outcomesIn } from "./outcome-groups.ts";

test("every outcome of a call is in exactly one group", () => {
  const decisions = Object.fromEntries(TALLY_OUTCOMES.map((outcome) => [outcome, 1]));
  const found = OUTCOME_GROUPS.flatMap((group) => outcomesIn(group, decisions));
  expect(found.toSorted()).toEqual(TALLY_OUTCOMES.toSorted());
  const values = Object.values(groupValues(decisions));
  expect(values.reduce((sum, value) => sum + value, 0)).toBe(TALLY_OUTCOMES.length);
});

test("an outcome of a newer runner is counted with the others", () => {
  const [other] = OUTCOME_GROUPS.filter(({ key }) => key === "other");
  expect(other && countGroup(other, { teleported: 3, passed: 2 })).toBe(3);
});

test("outcomes are words for people", () => {
  expect(outcomeLabel("kept_running")).toBe("kept running");
  expect(outcomeLabel("would_block")).toBe("would have blocked");
});
