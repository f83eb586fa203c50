import { expect, test } from "vitest";
import { runExample } from "./testing/run-example.ts";

test("the example is held by its failing tests, may not change them, and stops when they pass", async () => {
  const { stdout, exitCode, leftBehind } = await runExample("quality-gated-coder");
  // How much of a failure is among the lines shown differs between versions of Node.
  const decisive = stdout
    .split("\n")
    .filter((line) => /^step|agent|call|hook|✔|✖|end/.test(line))
    .map((line) => line.replace(/ \([\d.]+ms\)/, ""));
  expect(decisive).toEqual([
    "step 1",
    "  call  WriteFile slug.mjs",
    "step 2",
    " agent  slug.mjs is written. Done!",
    '  hook  tests-pass on before_stop held the agent: tests-pass is not satisfied: "node --test --test-reporter=spec" exited with code 1. Its output ends with:',
    "        ✔ a word is a slug",
    "        ✖ spaces become one dash",
    "step 3",
    " agent  Perhaps the test asks too much.",
    "  call  EditFile slug.test.mjs",
    "  hook  tool-policy on before_tool refused it: The tool policy denies EditFile(*.test.mjs), and this call is one.",
    "step 4",
    " agent  Then I fix the code: several spaces are one dash.",
    "  call  EditFile slug.mjs",
    "step 5",
    "  call  Shell node --test --test-reporter=spec",
    "result  ✔ a word is a slug",
    "        ✔ spaces become one dash",
    "step 6",
    " agent  slug.mjs turns titles into slugs, and its tests pass.",
    "   end  completed after 6 steps",
  ]);
  expect([exitCode, leftBehind]).toEqual([0, []]);
});
