import { execFile } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { HookFile } from "@tenterhook/protocol";
import { expect, test } from "vitest";
import { BridgeSandbox } from "../testing/bridge-sandbox.ts";
import { guardsFile, guardsOf, readGuards } from "./guards.ts";

const GUARDS = new URL("../../dist/judge/guards.js", import.meta.url);

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
      const args = ["--input-type=module", "--eval", UPDATE, GUARDS.href, state, name, start];
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

test("a guard of a project that is the root of all folders has a project that the hook script can read", () => {
  const hook: HookFile = {
    ...{ name: "guard", description: "", trigger: "before_tool", events: ["before_tool"], mode: "sync" },
    ...{ timeoutMs: 1_000, priority: 100, onError: "block", always: false, rejudge: true, metadata: {} },
  };
  const folder = "/.agents/hooks/guard";
  const guards = guardsOf([{ scope: "project", folder, file: `${folder}/HOOK.md`, hook, isTrusted: true }]);
  expect(guards).toEqual([{ event: "before_tool", project: "/", name: "guard" }]);
});
