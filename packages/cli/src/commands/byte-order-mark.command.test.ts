import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BIN, CommandSandbox, ended } from "../testing/command-sandbox.ts";

const BOM = "\uFEFF";

const CALL = {
  session_id: "s1",
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "rm -rf build" },
  tool_use_id: "1",
};

test("a payload with a byte order mark is checked, also while the client keeps its end open", async () => {
  const sandbox = new CommandSandbox();
  sandbox.hook("guard", {
    scope: "user",
    fields: ["matcher: { pattern: rm }"],
    script: "echo no >&2; exit 2",
  });
  const args = ["bridge", "--client", "claude", "--event", "PreToolUse"];
  const input = `${BOM}${JSON.stringify({ ...CALL, cwd: sandbox.project })}\r\n`;
  expect(await sandbox.run(args, { input })).toMatchObject({ code: 2, stderr: "no\n" });
  const child = spawn(process.execPath, [BIN, ...args], { cwd: sandbox.project, env: sandbox.env() });
  const end = ended(child);
  child.stdin.write(input.replace('"1"', '"2"'));
  expect(await end).toMatchObject({ code: 2, stderr: "no\n" });
});

test("HOOK.md, hooks.toml, cases and an event are read with a byte order mark and Windows line ends", async () => {
  const sandbox = new CommandSandbox();
  const windows = (text: string) => BOM + text.replaceAll("\n", "\r\n");
  const text =
    "---\nname: guard\ndescription: d\ntrigger: before_tool\nmatcher: { pattern: rm }\naction: block\nreason: no\n---\n";
  const folder = join(sandbox.userHooks, "guard");
  sandbox.write(join(folder, "HOOK.md"), windows(text));
  const cases =
    "- name: refuses it\n  event: { tool_name: Shell, tool_input: { command: rm -r x } }\n  expect: { outcome: deny }\n";
  sandbox.write(join(folder, "tests", "cases.yaml"), windows(cases));
  expect(await sandbox.run(["check", folder])).toMatchObject({ code: 0 });
  expect(await sandbox.run(["test", folder])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("refuses it"),
  });
  const event = sandbox.write(
    join(sandbox.root, "event.json"),
    windows(
      JSON.stringify({ event_type: "before_tool", tool_name: "Shell", tool_input: { command: "rm x" } }),
    ),
  );
  expect((await sandbox.run(["try", "--event", event])).stdout).toContain("blocked by guard: no");
  sandbox.write(join(sandbox.userHooks, "hooks.toml"), windows("[hooks.guard]\nenabled = false\n"));
  expect((await sandbox.run(["list"])).stdout).not.toContain("guard");
});

test("settings files with a byte order mark keep it, and Codex trusts entries in one", async () => {
  const sandbox = new CommandSandbox();
  const files = [".claude/settings.json", ".codex/hooks.json", ".gemini/settings.json"].map((path) =>
    sandbox.write(join(sandbox.home, path), `${BOM}{\r\n}\r\n`),
  );
  const config = sandbox.write(join(sandbox.home, ".codex", "config.toml"), `${BOM}model = "x"\r\n`);
  const before = files.map((path) => sandbox.read(path));
  expect((await sandbox.run(["install", "claude", "codex", "gemini"])).code).toBe(0);
  for (const path of files) expect(sandbox.read(path).startsWith(`${BOM}{`)).toBe(true);
  expect(sandbox.read(config)).toContain("trusted_hash");
  const { stdout, code } = await sandbox.run(["doctor"], { env: { PATH: "/usr/bin:/bin" } });
  expect([stdout, code]).toEqual([expect.stringContaining("Nothing is wrong."), 0]);
  await sandbox.run(["uninstall"]);
  expect(files.map((path) => sandbox.read(path))).toEqual(before);
});
