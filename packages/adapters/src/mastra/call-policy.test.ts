import { expect, test } from "vitest";
import { CallPolicies } from "./call-policy.ts";

const STORED = "__mastra_requireToolApproval";

/** A question of Mastra about one call: its policy is asked first, and then that of the tool. */
function newQuestion() {
  return { toolName: "shell", args: {}, requestContext: {} };
}

test("the agent's own policy decides, although Mastra ignores its answer", async () => {
  const policies = new CallPolicies({});
  for (const isNeeded of [true, false]) {
    const policy = policies.wrap(() => isNeeded) as (question: unknown) => unknown;
    const question = newQuestion();
    await policy(question);
    expect(await policies.ask("shell", {}, question, new Map([[STORED, policy]]))).toBe(isNeeded);
  }
});

test("a policy that throws asks a person", async () => {
  const policies = new CallPolicies({});
  const policy = policies.wrap(() => Promise.reject(new Error("broken"))) as (question: unknown) => unknown;
  const question = newQuestion();
  await policy(question);
  expect(await policies.ask("shell", {}, question, new Map())).toBe(true);
});

test("the policy of a call decides where it replaces that of the agent", async () => {
  const policies = new CallPolicies({});
  const asked: unknown[] = [];
  const stored = (question: { readonly toolName: string }) => {
    asked.push(question.toolName);
    return false;
  };
  expect(await policies.ask("shell", {}, newQuestion(), new Map([[STORED, stored]]))).toBe(false);
  expect(asked).toEqual(["shell"]);
  expect(await policies.ask("shell", {}, newQuestion(), new Map([[STORED, true]]))).toBe(true);
});

test("a person is asked, with a warning, where the policy of a call cannot be read", async () => {
  const warnings: string[] = [];
  const policies = new CallPolicies({ warn: (message) => void warnings.push(message) });
  expect(await policies.ask("shell", {}, newQuestion(), new Map())).toBe(true);
  expect(warnings).toEqual([
    expect.stringContaining("requireToolApproval of a call of Mastra cannot be read"),
  ]);
});

test("a call without a policy is free, once Mastra was seen to keep policies where they are read", async () => {
  const policies = new CallPolicies({});
  const policy = policies.wrap(undefined) as (question: unknown) => unknown;
  const question = newQuestion();
  await policy(question);
  expect(await policies.ask("shell", {}, question, new Map([[STORED, policy]]))).toBe(false);
  expect(await policies.ask("shell", {}, newQuestion(), new Map())).toBe(false);
});
