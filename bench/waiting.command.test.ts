import { fork } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { expect, test } from "vitest";
import { nextMessage } from "./next-message.ts";
import { until } from "./until.ts";

function start(source: string) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "program.js"), source);
  return fork(join(folder, "program.js"));
}

test("nextMessage waits for the next message of a process, and throws when the process ends without one", async () => {
  const child = start("process.send('ready'); process.once('message', () => process.exit(3))");
  expect(await nextMessage(child, "the server")).toBe("ready");
  child.send("end");
  await expect(nextMessage(child, "the server")).rejects.toThrow(
    "the server ended with exit code 3 before it answered",
  );
  await expect(nextMessage(child, "the server")).rejects.toThrow("exit code 3");
});

test("until waits for a condition until the limit, and then names it", async () => {
  let count = 0;
  await until(() => ++count === 3, { what: "counted", everyMs: 1 });
  expect(count).toBe(3);
  await expect(until(() => false, { what: "all is read", limitMs: 20, everyMs: 5 })).rejects.toThrow(
    "all is read: not so after 0.02 s",
  );
});
