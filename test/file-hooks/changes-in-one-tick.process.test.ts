import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { isRefused, unshare } from "../../packages/cli/src/testing/unshare.ts";
import { FileHooksSandbox } from "./file-hooks-sandbox.ts";

const PROGRAM = fileURLToPath(new URL("./programs/changes-in-one-tick.mjs", import.meta.url));

/** A file system whose clock has ticks of some milliseconds, as that of most kernels before 6.13. */
const IN_RAMFS = 'mount -t ramfs none "$1" && exec "$2" "$3" "$1"';

test("a hook that is added or edited within the tick of a listing is seen at the next event", async () => {
  const command = unshare(["--mount"]);
  if (isRefused(command)) return;
  const { home } = new FileHooksSandbox();
  mkdirSync(home, { recursive: true });
  const [program = "", ...args] = [...command, "sh", "-c", IN_RAMFS, "sh", home, process.execPath, PROGRAM];
  const { stdout } = await promisify(execFile)(program, args);
  const { missed, equal } = JSON.parse(stdout) as { missed: readonly string[]; equal: number };
  expect(missed).toEqual([]);
  // Otherwise this shows nothing.
  expect(equal).toBeGreaterThan(10);
});
