import { openAiServer } from "@tenterhook/agent/testing";
import { expect, onTestFinished, test } from "vitest";
import { runExample } from "./testing/run-example.ts";

test("Ctrl-C ends the run, and the example still cleans up after itself", async () => {
  let asked = () => {};
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const server = await openAiServer([
    () => {
      asked();
      return new Promise(() => {});
    },
  ]);
  onTestFinished(() => server.close());
  const { stdout, leftBehind } = await runExample(
    "guarded-shell-agent",
    { OPENAI_BASE_URL: server.url },
    isAsked,
  );
  expect(stdout).toContain("   end  stopped after 1 step: interrupted\n");
  expect(leftBehind).toEqual([]);
});

test("a model that fails ends the example with its error and exit code 1", async () => {
  const refused = Object.assign(new Error("who are you?"), { statusCode: 401 });
  const server = await openAiServer([{ error: refused }]);
  onTestFinished(() => server.close());
  const { stdout, exitCode } = await runExample("guarded-shell-agent", { OPENAI_BASE_URL: server.url });
  expect(stdout).toContain("   end  failed after 1 step: who are you?\n");
  expect(exitCode).toBe(1);
});
