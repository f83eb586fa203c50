import { type HookAgents, RUN_HOOK_TYPES } from "@tenterhook/protocol/runs";
import { expect, test } from "vitest";
import { candidates, candidatesForAny } from "./agent-candidates.ts";

const agent = (name: string, problem: string | null = null): HookAgents["agents"][number] => ({
  name,
  type: "procedural",
  description: "",
  fits: problem === null,
  problem,
});

test("an agent cannot run its own hook, unless it is chained", () => {
  const answer = { agents: [agent("me"), agent("other")] };
  const problems = (isChained: boolean) =>
    candidates(answer, { name: "me", isChained }).map(({ problem }) => problem);
  expect(problems(false)).toEqual([expect.stringContaining("its own hook"), null]);
  expect(problems(true)).toEqual([null, null]);
});

test("an agent is a candidate for a named hook when it fits a type, and lists the types", () => {
  const answers = new Map(
    RUN_HOOK_TYPES.map((type) => [
      type,
      {
        agents: [
          agent("every"),
          agent("tools", type === "on_tool_call" ? null : "needs tool_name"),
          agent("none", "has hooks"),
        ],
      },
    ]),
  );
  expect(candidatesForAny(answers)).toEqual([
    { name: "every", description: "for hooks of every type", problem: null },
    { name: "tools", description: "for on_tool_call", problem: null },
    expect.objectContaining({ name: "none", problem: "has hooks" }),
  ]);
});
