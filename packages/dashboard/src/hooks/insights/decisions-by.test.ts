import type { Insights } from "@tenterhook/protocol/runs";
import { expect, test } from "vitest";
import { decisionsByAgent, decisionsByTool } from "./decisions-by.ts";

const period = { since: "2026-11-17T00:00:00.000Z", until: "2026-11-18T00:00:00.000Z" };
const names = Array.from({ length: 14 }, (_, index) => `n${index}`);
const decided = (index: number) => ({
  calls: 100 - index,
  decisions: index < 13 ? { passed: 90 - index, blocked: 1 } : { passed: 1, stopped: 2 },
});
const insights = {
  ...period,
  current: { decisions: {} },
  decisions_by_agent: [{ agent: "", ...decided(0) }, ...names.map((agent, n) => ({ agent, ...decided(n) }))],
  decisions_by_tool: [{ tool: "", ...decided(0) }, ...names.map((tool, n) => ({ tool, ...decided(n) }))],
} as unknown as Insights;

test("decisions without a tool and those of other tools lead to their runs", () => {
  const { rows, series, link } = decisionsByTool(insights, "runner:guard");
  const blocked = series.find(({ key }) => key === "blocked");
  const find = (label: string) => {
    const row = rows.find((each) => each.label === label);
    return row && blocked && link?.(row, blocked);
  };
  expect(find("n0")).toMatchObject({ tool: "n0", decision: "blocked", hook: "runner:guard", time: "active" });
  expect(find("no tool")).toMatchObject({ tool: "-", decision: "blocked" });
  expect(find("4 other tools")).toMatchObject({
    tool: "!-,n0,n1,n2,n3,n4,n5,n6,n7,n8,n9",
    decision: "blocked,stopped",
  });
});

test("an unknown agent leads nowhere and says why, and other agents lead to their runs", () => {
  const { rows, series, link } = decisionsByAgent(insights, "runner:guard");
  const [passed] = series;
  const [unknown, , ...others] = rows;
  expect([unknown?.label, unknown?.unlisted]).toEqual(["unknown agent", expect.stringMatching(/removed/)]);
  expect(unknown && passed && link?.(unknown, passed)).toBe(undefined);
  const last = others.at(-1);
  expect(last && passed && link?.(last, passed)).toMatchObject({ agent: "!-,n0,n1,n2,n3,n4,n5,n6,n7,n8,n9" });
});

test("names that mean something else in a filter are written so that they do not, alone and among the others", () => {
  const odd = {
    ...insights,
    decisions_by_tool: ["a,b", "!c", "-", ...names].map((tool, n) => ({ tool, ...decided(n) })),
  };
  const { rows, series, link } = decisionsByTool(odd, "runner:guard");
  const tools = rows.map((row) => series[0] && link?.(row, series[0])?.tool);
  expect(tools.slice(0, 4)).toEqual(["a\\,b", "\\!c", "\\-", "n0"]);
  expect(tools.at(-1)).toBe("!a\\,b,\\!c,\\-,n0,n1,n2,n3,n4,n5,n6,n7");
});
