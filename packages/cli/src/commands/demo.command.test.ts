import { spawn } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BIN, CommandSandbox, ended } from "../testing/command-sandbox.ts";

/** A sandbox with its own folder for temporary files. */
function sandboxWithTemp(): { readonly sandbox: CommandSandbox; readonly temp: string } {
  const sandbox = new CommandSandbox();
  const temp = join(sandbox.root, "temp");
  mkdirSync(temp);
  return { sandbox, temp };
}

test("an agent's rm -fr is refused by a ready-made rule, its files survive, and the demo leaves none of its own", async () => {
  const { sandbox, temp } = sandboxWithTemp();
  const { code, stdout, stderr } = await sandbox.run(["demo"], { env: { TMPDIR: temp } });
  expect(stdout).toContain("  name: safety-delete-whole\n");
  expect(stdout).toContain(
    "! safety-delete-whole refused Shell rm -fr ~/ backups: This removes something as a whole",
  );
  expect(stdout).toMatch(/⊘ Shell rm -fr ~\/ backups {2}blocked/);
  expect(stdout).toContain("The 3 files in backups/ are still there.");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(readdirSync(temp)).toEqual([]);
  expect(readdirSync(sandbox.home)).toEqual([]);
});

test("the user's own hooks take no part in the demo", async () => {
  const sandbox = new CommandSandbox();
  sandbox.hook("nothing-runs", { scope: "user", script: "echo no >&2; exit 2" });
  const { code, stdout } = await sandbox.run(["demo"]);
  expect(stdout).toContain("✓ Shell du -sk *");
  expect(stdout).not.toContain("nothing-runs");
  expect(code).toBe(0);
});

test("every command that the demo names as the next one ends with 0, except the one that runs until Ctrl-C", async () => {
  const { sandbox } = sandboxWithTemp();
  const { stdout } = await sandbox.run(["demo"]);
  const commands = [...stdout.matchAll(/^ {2}tenterhook (.*?) {2,}\S/gm)].map(([, args = ""]) => args);
  expect(commands).toContain("up");
  expect(commands.length).toBeGreaterThan(2);
  for (const command of commands.filter((name) => name !== "up")) {
    const { code, stderr } = await sandbox.run(command.split(" "));
    expect({ command, code, stderr }).toEqual({ command, code: 0, stderr: "" });
  }
});

test("a terminal gets colours, and none with NO_COLOR", async () => {
  const sandbox = new CommandSandbox();
  const CSI = "\u001B[";
  expect((await sandbox.onTerminal(["demo"])).stdout).toContain(`${CSI}31m⊘${CSI}39m`);
  const plain = await sandbox.conversation(["demo"], []);
  expect(plain.stdout).toContain("⊘ Shell rm -fr ~/ backups");
  expect(plain.stdout).not.toContain(`${CSI}3`);
});

test("a closed pipe ends the demo, which leaves no folder behind", async () => {
  const { sandbox, temp } = sandboxWithTemp();
  const pipe = `'${process.execPath}' '${BIN}' demo | true`;
  const child = spawn("sh", ["-c", pipe], { cwd: sandbox.project, env: sandbox.env({ TMPDIR: temp }) });
  await ended(child);
  expect(readdirSync(temp)).toEqual([]);
});

test("--json prints the events of the run and nothing else", async () => {
  const { stdout } = await new CommandSandbox().run(["demo", "--json"]);
  const events = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string });
  expect(events.map(({ type }) => type)).toContain("hook_acted");
  expect(events.at(-1)?.type).toBe("run_end");
});
