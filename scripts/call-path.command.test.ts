import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const SCRIPT = fileURLToPath(new URL("call-path.mjs", import.meta.url));

test("a call of a coding agent enters at most twelve folders of the bridges, and returns to one at most five times", async () => {
  const { exit, byFiles, byCalls } = JSON.parse(await run());
  // The guard was asked: it is the whole path.
  expect(exit).toBe(2);
  for (const { folders, returns } of [byFiles, byCalls]) {
    expect(folders).toBeLessThanOrEqual(12);
    expect(returns).toBeLessThanOrEqual(5);
  }
  const names = ["read", "translate", "match", "decide", "encode", "record"].map((name) => `call/${name}`);
  // An earlier refusal is looked for before the call is translated.
  const order = ["call/read", "call/match", "call/translate", ...names.slice(2)];
  expect(byFiles.entered.filter((folder: string) => names.includes(folder))).toEqual(order);
});

function run(): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [SCRIPT, "--json"], (error, stdout, stderr) =>
      error === null ? resolve(stdout) : reject(new Error(stderr, { cause: error })),
    );
  });
}
