import { execFile } from "node:child_process";
import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { installVersion } from "./install-version.ts";

/**
 * The test of a major version that is not known yet: the framework's own example runs with it, in which a hook refuses a command. `modules`
 * is where the framework is installed.
 */
export function testUnknownVersion(packageName: string, modules: string, example: string): void {
  test(`an unknown major version of ${packageName} gives one warning that names it, and hooks are enforced`, async () => {
    const folder = installVersion(modules, packageName, "99.1.0");
    try {
      const program = join(folder, "example.mjs");
      copyFileSync(example, program);
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [program]);
      expect(stdout).toContain("this would destroy data");
      expect(stdout).not.toContain("ran: rm");
      expect(stderr.split(`was not tested with ${packageName} 99.1.0`)).toHaveLength(2);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }, 180_000);
}
