import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { expect, test } from "vitest";
import { withoutModuleWarning } from "./run-hook.ts";

/** What this Node prints for a module whose type no package.json states. */
function stderrOfModule(code: string): Promise<string> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "package.json"), "{}\n");
  mkdirSync(join(folder, "scripts"));
  const script = join(folder, "scripts", "run.js");
  writeFileSync(script, `import { writeSync } from "node:fs";\n${code}\n`);
  return new Promise((resolve) =>
    execFile(process.execPath, [script], (_error, _stdout, stderr) => resolve(stderr)),
  );
}

test("Node's warning is removed, before and after the script's own text", async () => {
  // Depending on its version, Node prints the warning before the script runs, or in the next tick.
  const stderr = await stderrOfModule(
    'writeSync(2, "first\\n"); setTimeout(() => writeSync(2, "second\\n"), 1);',
  );
  expect(stderr).toContain("[MODULE_TYPELESS_PACKAGE_JSON]");
  expect(withoutModuleWarning(stderr)).toBe("first\nsecond\n");
});

test.each([
  "",
  "denied",
  "(node:1) Warning: something else\n",
  "see [MODULE_TYPELESS_PACKAGE_JSON] in the docs\n",
])("other text stays as it is: %j", (text) => expect(withoutModuleWarning(text)).toBe(text));
