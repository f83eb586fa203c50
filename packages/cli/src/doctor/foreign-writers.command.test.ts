import { chmodSync, chownSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { installationFor } from "@tenterhook/bridges/install";
import { expect, test } from "vitest";
import { CommandSandbox } from "../testing/command-sandbox.ts";
import { checkWriters } from "./foreign-writers.ts";

/** A home with a hook of the user and one of the project, which nobody else can change. */
function guarded(): CommandSandbox {
  const sandbox = new CommandSandbox();
  sandbox.hook("mine", { scope: "user", script: "exit 0" });
  sandbox.hook("theirs", { script: "exit 0" });
  return sandbox;
}

function check(sandbox: CommandSandbox): { readonly findings: string; readonly notes: string } {
  const { findings, notes = [] } = checkWriters(installationFor(sandbox.project, { HOME: sandbox.home }));
  return {
    findings: findings.map(({ problem, fix }) => `${problem} → ${fix}`).join("\n"),
    notes: notes.join("\n"),
  };
}

test("the check for other writers finds nothing where only the user can write, below a folder with the sticky bit", () => {
  expect(check(guarded())).toEqual({ findings: "", notes: "" });
});

test.each<[string, (sandbox: CommandSandbox) => string]>([
  ["the folder of the user's hooks", ({ userHooks }) => userHooks],
  ["a hook's folder", ({ userHooks }) => join(userHooks, "mine")],
  ["a HOOK.md", ({ userHooks }) => join(userHooks, "mine", "HOOK.md")],
  ["a hook's script", ({ userHooks }) => join(userHooks, "mine", "scripts", "run.sh")],
  ["a folder that they lie in", ({ home }) => join(home, ".config")],
])("finds that every user can write to %s", (_, pathIn) => {
  const sandbox = guarded();
  const path = pathIn(sandbox);
  chmodSync(path, 0o777);
  expect(check(sandbox).findings).toContain("can be written to by every user");
  expect(check(sandbox).findings).toContain(`chmod o-w '${path}'`);
});

test("the check for other writers notes that every user can write to a project's hooks, which trust covers", () => {
  const sandbox = guarded();
  chmodSync(join(sandbox.projectHooks, "theirs", "scripts", "run.sh"), 0o666);
  const { findings, notes } = check(sandbox);
  expect([findings, notes]).toEqual(["", expect.stringMatching(/run\.sh can be written to by every user/)]);
});

test("the check for other writers finds that others can add hooks to a folder of hooks with the sticky bit", () => {
  const sandbox = guarded();
  chmodSync(sandbox.userHooks, 0o1777);
  expect(check(sandbox).findings).toContain("can be written to by every user");
});

test("the check for other writers finds what a link in the folder of hooks leads to", () => {
  const sandbox = guarded();
  const shared = join(sandbox.root, "shared");
  mkdirSync(join(shared, "linked"), { recursive: true });
  chmodSync(shared, 0o777);
  symlinkSync(join(shared, "linked"), join(sandbox.userHooks, "linked"));
  expect(check(sandbox).findings).toContain(`chmod o-w '${shared}'`);
});

test("the check for other writers finds that a group whose members are not known can write, and not the user's own group", () => {
  const sandbox = guarded();
  chmodSync(sandbox.userHooks, 0o775);
  expect(check(sandbox).findings).toBe("");
  // Only root can give a folder to a group that it is not in.
  if (process.getuid?.() !== 0) return;
  chownSync(sandbox.userHooks, 0, 54_321);
  chmodSync(sandbox.userHooks, 0o775);
  expect(check(sandbox).findings).toMatch(/can be written to by the group 54321.*chmod g-w/);
});

test("doctor reports that other users can write to hooks", async () => {
  const sandbox = guarded();
  chmodSync(sandbox.userHooks, 0o777);
  const { code, stdout } = await sandbox.run(["doctor"]);
  expect([code, stdout]).toEqual([
    1,
    expect.stringMatching(/!! who else can change hooks.*every user of this machine/s),
  ]);
});
