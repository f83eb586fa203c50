import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

test("the Mastra agent reads why a command was refused, and is kept running until it has listed the files", () => {
  const program = fileURLToPath(new URL("example.mjs", import.meta.url));
  expect(execFileSync(process.execPath, [program], { encoding: "utf8" })).toBe(`user: Tidy up.
assistant: calls rm -rf build
tool: this would destroy data
assistant: I could not delete it.
user: List the files before you stop.
assistant: calls ls
tool: ran: ls
assistant: The files are listed.
`);
}, 180_000);
