import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const RULE = join(ROOT, "scripts", "lint", "undocumented-node.grit");

const REFUSED = [
  'process.binding("process_wrap");',
  "process.reallyExit(1);",
  "process?.reallyExit(1);",
  "process._getActiveHandles();",
  "process!._tickCallback();",
  'process["binding"];',
  "process['reallyExit'];",
  "process[`_handle`];",
  "globalThis.process.binding;",
  "(process as unknown as { binding: Binding }).binding;",
  "(process as Internal)._getActiveHandles();",
  '(process as Internal)["binding"];',
  "(<Internal>process).binding;",
  "const { binding } = process;",
  "const { pid, reallyExit: exit } = process;",
  "const { _events } = process as Internal;",
  "({ binding: later } = process);",
  'import { binding } from "node:process";',
  'import { pid, reallyExit as exit2 } from "process";',
  "socket._handle.fd;",
  "(socket as Internal)._handle;",
  'socket["_handle"];',
  "const { _handle } = socket;",
  "const { _handle: handle } = socket as Internal;",
  'import "internal/bootstrap/node";',
  'import errors from "node:internal/errors";',
  'export * from "internal/errors";',
  'require("internal/errors");',
  'await import("node:internal/errors");',
];

const PERMITTED = [
  "process.pid;",
  "process.env.binding;",
  "process.env._HANDLE;",
  "const { pid: id, env } = process;",
  'import { pid as own } from "node:process";',
  "binding.process;",
  "runner.process.binding2;",
  "const { binding: bound } = catalogue;",
  'import { internal } from "./internal/errors.ts";',
  "socket.handle;",
];

test("the linter refuses each form of an undocumented interface of Node, and nothing else", async () => {
  const lines = [...REFUSED, ...PERMITTED];
  const found = await refusedLines(lines.join("\n"));
  expect(found.map((number) => lines[number - 1])).toEqual(REFUSED);
});

test("the repository's linter uses that rule everywhere", () => {
  const { plugins, overrides } = JSON.parse(readFileSync(join(ROOT, "biome.json"), "utf8"));
  expect(plugins).toEqual(["./scripts/lint/undocumented-node.grit"]);
  expect(JSON.stringify(overrides)).not.toContain("plugins");
});

/** The numbers of the lines that the rule refuses, in a project of its own. */
function refusedLines(code: string): Promise<readonly number[]> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "biome.json"), JSON.stringify({ plugins: [RULE] }));
  writeFileSync(join(folder, "probe.ts"), code);
  const biome = join(ROOT, "node_modules", ".bin", "biome");
  const args = ["lint", "--only=plugin", "--max-diagnostics=none", "probe.ts"];
  return new Promise((resolve, reject) => {
    execFile(biome, args, { cwd: folder }, (error, stdout, stderr) => {
      const printed = `${stdout}${stderr}`;
      if (error === null) reject(new Error(`Nothing was refused:\n${printed}`));
      const numbers = [...printed.matchAll(/probe\.ts:(\d+):\d+ plugin/g)].map(([, line]) => Number(line));
      resolve([...new Set(numbers)].sort((one, other) => one - other));
    });
  });
}
