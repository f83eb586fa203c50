// A coder that may not stop before the tests pass, and may not touch the tests to get there.
import { builtInTools, createAgent, createHooks } from "@tenterhook/agent";
import { qualityGate, toolPolicy } from "@tenterhook/engine/built-in";
import { modelFor } from "./model.ts";
import { runWithProgress } from "./story.ts";
import { tempFolder } from "./temp-folder.ts";

const TEST = `import assert from "node:assert/strict";
import test from "node:test";
import { slug } from "./slug.mjs";

test("a word is a slug", () => assert.equal(slug("Hello"), "hello"));
test("spaces become one dash", () => assert.equal(slug("Hello   World"), "hello-world"));
`;
const RUN_TESTS = ["node", "--test", "--test-reporter=spec"];

const hooks = createHooks();

toolPolicy(hooks, {
  deny: ["WriteFile(*.test.mjs)", "EditFile(*.test.mjs)"],
  allow: ["ReadFile", "WriteFile", "EditFile", "Shell(node --test*)"],
});

qualityGate(hooks, { name: "tests-pass", check: { command: RUN_TESTS } });

const agent = createAgent({
  instructions: `You write code in the work folder. ReadFile shows the tests, "${RUN_TESTS.join(" ")}" runs them.`,
  model: await modelFor([
    {
      toolCalls: [
        {
          name: "WriteFile",
          input: {
            file_path: "slug.mjs",
            content: 'export const slug = (text) => text.toLowerCase().replaceAll(" ", "-");\n',
          },
        },
      ],
    },
    "slug.mjs is written. Done!",
    {
      text: "Perhaps the test asks too much.",
      toolCalls: [
        {
          name: "EditFile",
          input: { file_path: "slug.test.mjs", old_string: '"hello-world"', new_string: '"hello---world"' },
        },
      ],
    },
    {
      text: "Then I fix the code: several spaces are one dash.",
      toolCalls: [
        {
          name: "EditFile",
          input: { file_path: "slug.mjs", old_string: '(" ", "-")', new_string: '(/ +/g, "-")' },
        },
      ],
    },
    { toolCalls: [{ name: "Shell", input: { command: RUN_TESTS.join(" ") } }] },
    "slug.mjs turns titles into slugs, and its tests pass.",
  ]),
  hooks,
  tools: builtInTools({ only: ["Shell", "ReadFile", "WriteFile", "EditFile"] }),
  workDir: tempFolder({ "slug.test.mjs": TEST }),
  parallelTools: false, // a test run belongs behind the edit before it
});

await runWithProgress(
  "A coder that its tests hold",
  agent,
  "Write slug.mjs, so that the tests in slug.test.mjs pass.",
);
await agent.close();
