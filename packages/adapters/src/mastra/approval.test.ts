import { expect, test } from "vitest";
import { callPolicy, readPolicy } from "./approval.ts";

/** A question of Mastra about one call: its policy is asked first, and then that of the tool. */
function newQuestion() {
  return { toolName: "shell", args: {}, requestContext: {} };
}

test.each([true, false])(
  "a noted policy decides, although Mastra ignores its answer: %s",
  async (isNeeded) => {
    for (const policy of [callPolicy(isNeeded), callPolicy(async () => isNeeded)]) {
      const question = newQuestion();
      expect(await policy(question)).toBe(isNeeded);
      expect(readPolicy("shell", question, {})).toBe(isNeeded);
    }
  },
);

test("a policy that throws asks a person", async () => {
  const policy = callPolicy(() => Promise.reject(new Error("broken")));
  const question = newQuestion();
  expect(await policy(question)).toBe(true);
  expect(readPolicy("shell", question, {})).toBe(true);
});

test("a person is asked, with a warning, where the policy of a call was not noted", () => {
  const warnings: string[] = [];
  const warn = (message: string) => void warnings.push(message);
  expect(readPolicy("shell", newQuestion(), { warn })).toBe(true);
  expect(readPolicy("shell", undefined, { warn })).toBe(true);
  expect(warnings).toHaveLength(2);
  expect(warnings[0]).toContain("requireToolApproval: callPolicy(…)");
});
