import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { LocalFleet } from "./local-fleet.ts";

test("every command of the coordinator's page does what the page describes", async () => {
  const page = await readFile(new URL("../../docs/coordinator.md", import.meta.url), "utf8");
  const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block ?? "");
  expect(blocks.length).toBeGreaterThan(8);
  const fleet = await LocalFleet.start({ url: undefined });
  await fleet.runner();
  const env = { ...process.env, URL: fleet.served.url, TOKEN: fleet.served.token };
  // Each command is shown before it runs, so that a failure says which one it was.
  const script = `set -eu -o pipefail\nset -x\n${blocks.join("\n")}`;
  const ended = promisify(execFile)("bash", ["-c", script], { cwd: fleet.folder, env });
  await expect(
    ended.catch(({ stderr, stdout }) => `${stderr.slice(-1_500)}\n${stdout.slice(-500)}`),
  ).resolves.toMatchObject({
    stdout: expect.stringContaining("run_completed"),
  });
});
