import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

test("the example runs what is harmless and says why it refused the rest", async () => {
  const program = fileURLToPath(new URL("dist/guarded-shell.js", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program]);
  expect(stdout).toBe(`> echo hello from a tool
    (seen: before_tool Shell)
  hello from a tool
    (seen: after_tool Shell)
> rm -rf /
  refused by no-destruction: this would destroy data
    (seen: before_tool Shell)
> curl https://example.com
  refused by network: the person said no (it leaves this machine)
    (seen: before_tool Shell)
`);
});
