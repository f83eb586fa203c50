import { expect, test } from "vitest";
import { readUsage } from "./reported-usage.ts";

const usage = { model: "large", input_tokens: 12, output_tokens: 3 };

test.each([
  ["the end of a step", "step_end", { step: 1, usage }, usage],
  ["a step of a subagent", "subagent", { event: { event_type: "step_end", usage } }, usage],
  [
    "a step of a subagent's subagent",
    "subagent",
    { event: { event_type: "subagent", event: { event_type: "step_end", usage } } },
    usage,
  ],
  [
    "a call without a model",
    "step_end",
    { usage: { input_tokens: 1, output_tokens: 0 } },
    { model: null, input_tokens: 1, output_tokens: 0 },
  ],
  [
    "a very long model",
    "step_end",
    { usage: { ...usage, model: "m".repeat(500) } },
    { ...usage, model: "m".repeat(200) },
  ],
  [
    "a model whose name is cut in the middle of a character",
    "step_end",
    { usage: { ...usage, model: `${"m".repeat(199)}🦊` } },
    { ...usage, model: "m".repeat(199) },
  ],
  ["a step without usage", "step_end", { step: 1 }, undefined],
  ["usage that is null", "subagent", { event: { event_type: "step_end", usage: null } }, undefined],
  [
    "tokens that are a text",
    "subagent",
    { event: { event_type: "step_end", usage: { ...usage, input_tokens: "12" } } },
    undefined,
  ],
  ["tokens below zero", "step_end", { usage: { ...usage, output_tokens: -1 } }, undefined],
  ["a subagent without an event", "subagent", {}, undefined],
  ["the sum of all steps", "agent_usage", { input_tokens: 1, output_tokens: 2 }, undefined],
])("reads the usage of %s", (_, type, data, expected) => {
  expect(readUsage({ type, data })).toEqual(expected);
});
