import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { CommandSandbox } from "../testing/command-sandbox.ts";

/** A link that leads to itself, whatever was there. */
function loop(path: string): void {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(path, path);
}

test("list, doctor, check and explain report hooks that cannot be read and were never read, and what follows", async () => {
  const sandbox = new CommandSandbox();
  const root = join(sandbox.home, ".config", "agents", "hooks");
  loop(root);
  const listed = await sandbox.run(["list"]);
  expect(listed.stdout).toMatch(/hooks .* broken$/m);
  expect(listed.stderr).toContain(`${root}: error: it cannot be read (ELOOP), and nothing is known of it`);
  expect(listed.stderr).toMatch(/hooks \(.*before_tool.*\) cannot be used: .* what it checked is refused/);
  const doctor = await sandbox.run(["doctor"]);
  expect(doctor.code).toBe(1);
  expect(doctor.stdout).toContain("it cannot be read (ELOOP)");
  expect(doctor.stdout).not.toContain("undefined");
  const check = await sandbox.run(["check"]);
  expect([check.code, check.stdout]).toEqual([1, expect.stringContaining("it cannot be read (ELOOP)")]);
  const explained = await sandbox.run(["explain", "before_tool", "--tool", "Shell"]);
  expect(explained.stdout).toMatch(/hooks .*blocks .*broken, so the action is refused/);
});

test("list and doctor report hooks that cannot be read any more, and list what was known", async () => {
  const sandbox = new CommandSandbox();
  sandbox.hook("guard", { scope: "user", script: "exit 0" });
  await sandbox.run(["list"]);
  loop(join(sandbox.home, ".config", "agents", "hooks", "guard", "HOOK.md"));
  const listed = await sandbox.run(["list"]);
  expect(listed.stdout).toMatch(/guard .* user$/m);
  expect(listed.stderr).toContain("so what was known of it before still counts");
  const doctor = await sandbox.run(["doctor"]);
  expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringContaining("it cannot be read (ELOOP)")]);
});

test("list, doctor and explain report two hooks of one name, and what follows", async () => {
  const sandbox = new CommandSandbox();
  const twin =
    "---\nname: twin\ndescription: x\ntrigger: before_tool\non_error: block\naction: block\nreason: no\n---\n";
  for (const name of ["a", "b"])
    sandbox.write(join(sandbox.home, ".config", "agents", "hooks", name, "HOOK.md"), twin);
  const listed = await sandbox.run(["list"]);
  expect(listed.stdout).toMatch(/twin .* broken$/m);
  expect(listed.stderr).toMatch(/twin \(before_tool\) cannot be used: 2 hooks in .* have this name \(a, b\)/);
  const doctor = await sandbox.run(["doctor"]);
  expect([doctor.code, doctor.stdout]).toEqual([
    1,
    expect.stringContaining("there is another hook named twin"),
  ]);
  const explained = await sandbox.run(["explain", "before_tool", "--tool", "Shell"]);
  expect(explained.stdout).toMatch(/twin .*blocks .*broken, so the action is refused/);
  expect(explained.stdout.match(/neither is used/g)).toHaveLength(2);
});
