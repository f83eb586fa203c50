import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import {
  findGuards,
  guardsFile,
  isGuardFor,
  readGuards,
  updateGuards,
} from "@tenterhook/file-hooks/discover";
import type { HookFile } from "@tenterhook/protocol";
import { expect, test } from "vitest";
import { BridgeSandbox } from "../../testing/bridge-sandbox.ts";

const GUARDS = import.meta.resolve("@tenterhook/file-hooks/discover");

/** Writes the guards of many projects, one after the other. */
const UPDATE = `
  const { updateGuards } = await import(process.argv[1]);
  const [, , state, name, start] = process.argv;
  while (Date.now() < Number(start));
  for (let nth = 0; nth < 40; nth++) {
    const project = "/" + name + "/" + nth;
    while (!(await updateGuards(state, [project], [{ event: "before_tool", project, name: "guard" }])));
  }
`;

test("bridges of several projects at once do not lose each other's guards", async () => {
  const { state } = new BridgeSandbox();
  const start = String(Date.now() + 500);
  await Promise.all(
    ["one", "other", "third"].map((name) => {
      const args = ["--input-type=module", "--eval", UPDATE, GUARDS, state, name, start];
      return promisify(execFile)(process.execPath, args);
    }),
  );
  expect(readGuards(state)).toHaveLength(120);
});

test("a bridge that could not store the guards leaves it to the next one", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("guard", { fields: ["on_error: block"], script: "exit 0" });
  // It cannot be replaced, just as if the disk were full.
  mkdirSync(join(guardsFile(sandbox.state), "full"), { recursive: true });
  await sandbox.send("claude/PreToolUse.Bash");
  rmSync(guardsFile(sandbox.state), { recursive: true });
  await sandbox.send("claude/PreToolUse.Bash");
  expect(readGuards(sandbox.state)).toEqual([{ event: "before_tool", project: "*", name: "guard" }]);
});

test("a list that lost its content is not read as one without guards, and the next call writes it again", async () => {
  const sandbox = new BridgeSandbox();
  await sandbox.send("claude/PreToolUse.Bash", { tool_use_id: "0" });
  const path = guardsFile(sandbox.state);
  expect([readGuards(sandbox.state), readFileSync(path, "utf8")]).toEqual([
    [],
    expect.stringMatching(/^# .+\n$/),
  ]);
  for (const content of ["", "\n\n", "\0".repeat(50)]) {
    writeFileSync(path, content);
    expect(readGuards(sandbox.state)).toBe(undefined);
    expect(await updateGuards(sandbox.state, [], [])).toBe(true);
    expect(readGuards(sandbox.state)).toEqual([]);
  }
});

test("a list that an older version wrote, without a comment, is valid, and keeps its lines", async () => {
  const { state } = new BridgeSandbox();
  mkdirSync(dirname(guardsFile(state)), { recursive: true });
  writeFileSync(guardsFile(state), "before_tool\t/other\tguard\n");
  expect(readGuards(state)).toEqual([{ event: "before_tool", project: "/other", name: "guard" }]);
  await updateGuards(state, ["/new"], [{ event: "before_tool", project: "/new", name: "guard" }]);
  expect(readGuards(state)?.map(({ project }) => project)).toEqual(["/new", "/other"]);
});

test.each([
  ["*", "/any/folder", true],
  ["/", "/any/folder", true],
  ["/", "/", true],
  ["/project", "/project", true],
  ["/project", "/project/below", true],
  ["/project/", "/project/below", true],
  ["/project", "/project-2", false],
  ["/project/below", "/project", false],
])("a guard of %s is for the folder %s: %s", (project, folder, isFor) => {
  expect(isGuardFor(project, folder)).toBe(isFor);
});

test("a guard of a project that is the root of all folders has a project that the hook script can read", () => {
  const hook: HookFile = {
    ...{ name: "guard", description: "", trigger: "before_tool", events: ["before_tool"], mode: "sync" },
    ...{ timeoutMs: 1_000, priority: 100, onError: "block", always: false, rejudge: true, metadata: {} },
  };
  const folder = "/.agents/hooks/guard";
  const guards = findGuards([{ scope: "project", folder, file: `${folder}/HOOK.md`, hook, isTrusted: true }]);
  expect(guards).toEqual([{ event: "before_tool", project: "/", name: "guard" }]);
});
