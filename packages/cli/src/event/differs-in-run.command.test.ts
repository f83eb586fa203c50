import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CommandSandbox } from "../testing/command-sandbox.ts";

const SHELL = ["try", "before_tool", "--tool", "Shell", "--input", '{"command": "rm -rf /"}'];
const DENY = "echo 'too dangerous' >&2; exit 2";

describe("a hook that a real run would not call", () => {
  const LINE = /^A real run would .*$/gm;
  const notes = async (sandbox: CommandSandbox) => (await sandbox.run(SHELL)).stdout.match(LINE) ?? [];

  test("because it is not trusted is named, until it is trusted; one that was changed refuses", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("own", { scope: "user", script: "exit 0" });
    sandbox.hook("other-tool", { fields: ["matcher: { tool: ReadFile }"], script: "exit 0" });
    const folder = sandbox.hook("guard", { script: DENY });
    expect(await notes(sandbox)).toEqual([
      "A real run would skip guard; it is untrusted: review it with: tenterhook trust",
    ]);
    expect((await sandbox.onTerminal(["trust", "guard"], ["y"])).code).toBe(0);
    expect(await notes(sandbox)).toEqual([]);
    sandbox.write(join(folder, "scripts", "run.sh"), "#!/bin/bash\nexit 0\n", 0o755);
    expect(await notes(sandbox)).toEqual([
      expect.stringMatching(
        /^A real run would refuse this in the place of guard; it is changed: .*tenterhook trust$/,
      ),
    ]);
  });

  test("and that hides a hook of the user is named with it", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("guard", { scope: "user", fields: ["metadata: { overridable: true }"], script: DENY });
    sandbox.hook("guard", { script: "exit 0" });
    expect(await notes(sandbox)).toEqual([
      expect.stringContaining(
        "A real run would skip guard, and call your own hook of that name; it is untrusted",
      ),
    ]);
  });
});
