import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

test("the example refuses the dangerous command, and the agent continues", () => {
  const program = fileURLToPath(new URL("example.mjs", import.meta.url));
  expect(
    execFileSync(process.execPath, [program], { encoding: "utf8" }),
  ).toBe(`assistant: calls {"command":"rm -rf build"}
tool: this would destroy data
assistant: calls {"command":"ls build"}
tool: ran: ls build
assistant: I left the build alone.
`);
}, 180_000);
