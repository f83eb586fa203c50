import { expect, test } from "vitest";
import { runExample } from "../testing/run-example.ts";

test("the agent of the AI SDK does not run a refused command, and is kept running until it has listed the files", async () => {
  expect(await runExample("frameworks/ai-sdk")).toEqual({
    exitCode: 0,
    stdout: ` refused  this would destroy data
  result  List the files before you stop.
  result  ran: ls
    text  The files are listed.
`,
    stderr: "",
    leftBehind: [],
  });
});
