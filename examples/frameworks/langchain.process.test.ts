import { expect, test } from "vitest";
import { runExample } from "../testing/run-example.ts";

test("the LangChain agent reads why a command was refused, and is kept running until it has listed the files", async () => {
  expect(await runExample("frameworks/langchain")).toEqual({
    exitCode: 0,
    stdout: ` human  Tidy up.
    ai  calls rm -rf build
  tool  this would destroy data
    ai  I could not delete it.
 human  List the files before you stop.
    ai  calls ls
  tool  ran: ls
    ai  The files are listed.
`,
    stderr: "",
    leftBehind: [],
  });
});
