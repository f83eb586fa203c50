import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { DENY, FileHooksSandbox } from "./file-hooks-sandbox.ts";

// "Full HOOK.md content": the file of a hook is HOOK.md, and hook.md is read as well.

const COMMAND = fileURLToPath(new URL("../../packages/cli/dist/bin/tenterhook.js", import.meta.url));

const text = (name: string, reason: string, more = "") =>
  `---\nname: ${name}\ndescription: x\ntrigger: before_tool\naction: block\nreason: ${reason}\n${more}---\n`;

function lowerCase(folder: string): string {
  renameSync(join(folder, "HOOK.md"), join(folder, "hook.md"));
  return folder;
}

/** A command of a coding agent, through its bridge; the reason of a refusal, or nothing. */
function callBridge(sandbox: FileHooksSandbox, command = "ls"): string {
  const call = { session_id: "s", tool_name: "Bash", tool_input: { command }, tool_use_id: command };
  const input = JSON.stringify({ cwd: sandbox.project, hook_event_name: "PreToolUse", ...call });
  const args = [COMMAND, "bridge", "--client", "claude", "--event", "PreToolUse"];
  const env = { PATH: process.env.PATH, HOME: sandbox.home };
  try {
    execFileSync(process.execPath, args, { input, env, cwd: sandbox.project, stdio: "pipe" });
    return "";
  } catch (error) {
    return String((error as { stderr: Buffer }).stderr).trim();
  }
}

describe("hook.md", () => {
  test("is a hook's file: it is called, with its own path as the source", async () => {
    const sandbox = new FileHooksSandbox();
    const folder = lowerCase(sandbox.hook(sandbox.userHooks, "guard", {}, DENY));
    const { hooks } = await sandbox.fileHooks().catalogue();
    expect(hooks.map(({ hook, file }) => [hook.name, file])).toEqual([["guard", join(folder, "hook.md")]]);
    const engine = sandbox.hooks();
    const { reason, trace } = await sandbox.shell(engine);
    expect([reason, trace.entries[0]?.source]).toEqual(["denied", join(folder, "hook.md")]);
    expect(trace.entries[0]?.hook).toBe("guard");
  });

  test("does not count beside a HOOK.md, and counts from the next event on when that is gone", async () => {
    const sandbox = new FileHooksSandbox();
    const folder = join(sandbox.userHooks, "guard");
    sandbox.write(join(folder, "hook.md"), text("guard", "lower"));
    const hooks = sandbox.hooks();
    const reason = async () => [
      (await sandbox.shell(hooks)).reason,
      (await sandbox.shell(sandbox.hooks())).reason,
    ];
    expect(await reason()).toEqual(["lower", "lower"]);
    sandbox.write(join(folder, "HOOK.md"), text("guard", "upper"));
    expect(await reason()).toEqual(["upper", "upper"]);
    writeFileSync(join(folder, "hook.md"), text("guard", "edited"));
    expect(await reason()).toEqual(["upper", "upper"]);
    rmSync(join(folder, "HOOK.md"));
    expect(await reason()).toEqual(["edited", "edited"]);
    renameSync(join(folder, "hook.md"), join(folder, "HOOK.md"));
    expect(await reason()).toEqual(["edited", "edited"]);
    rmSync(join(folder, "HOOK.md"));
    expect(await reason()).toEqual([undefined, undefined]);
  });

  test("does not stand in for a HOOK.md that cannot be used: that is reported", async () => {
    const sandbox = new FileHooksSandbox();
    const folder = join(sandbox.userHooks, "guard");
    sandbox.write(join(folder, "hook.md"), text("guard", "lower"));
    sandbox.write(join(folder, "HOOK.md"), "no frontmatter\n");
    const { hooks, findings } = await sandbox.fileHooks().catalogue();
    expect(hooks).toEqual([]);
    expect(findings.map(({ file }) => file)).toEqual([join(folder, "HOOK.md")]);
    rmSync(join(folder, "HOOK.md"));
    symlinkSync("hook.md", join(folder, "HOOK.md"));
    expect((await sandbox.shell(sandbox.hooks())).reason).toBe("lower");
  });

  test("is what is trusted: a change of it refuses, and so does a HOOK.md that appears beside it", async () => {
    const sandbox = new FileHooksSandbox();
    const folder = lowerCase(sandbox.hook(sandbox.projectHooks, "guard", { on_error: "block" }, DENY));
    expect((await sandbox.shell(sandbox.hooks())).failures.map(({ code }) => code)).toEqual([
      "hook_untrusted",
    ]);
    await sandbox.trustAll();
    const hooks = sandbox.hooks();
    expect((await sandbox.shell(hooks)).reason).toBe("denied");
    const weak = "---\nname: guard\ndescription: x\ntrigger: session_end\n---\n";
    sandbox.write(join(folder, "HOOK.md"), weak);
    expect((await sandbox.shell(hooks)).reason).toMatch(/hook "guard".*changed since it was trusted/);
    expect((await sandbox.shell(sandbox.hooks())).reason).toMatch(/changed since it was trusted/);
    rmSync(join(folder, "HOOK.md"));
    expect((await sandbox.shell(hooks)).reason).toBe("denied");
    writeFileSync(join(folder, "hook.md"), weak);
    expect((await sandbox.shell(hooks)).reason).toMatch(/changed since it was trusted/);
    rmSync(folder, { recursive: true });
    expect((await sandbox.shell(sandbox.hooks())).reason).toMatch(
      /hook "guard".*it can no longer be checked/,
    );
  });

  test("of a guard is kept in the plan of the bridges, which sees it change, and HOOK.md appear", async () => {
    const sandbox = new FileHooksSandbox();
    const folder = join(sandbox.userHooks, "guard");
    sandbox.write(join(folder, "hook.md"), text("guard", "lower", "matcher: { pattern: zebra }\n"));
    expect([callBridge(sandbox, "zebra"), callBridge(sandbox, "ls")]).toEqual(["lower", ""]);
    expect([callBridge(sandbox, "zebra 2"), callBridge(sandbox, "ls 2")]).toEqual(["lower", ""]);
    sandbox.write(join(folder, "hook.md"), text("guard", "changed", "matcher: { pattern: horse }\n"));
    expect([callBridge(sandbox, "horse"), callBridge(sandbox, "zebra 3")]).toEqual(["changed", ""]);
    expect([callBridge(sandbox, "horse 2"), callBridge(sandbox, "ls 3")]).toEqual(["changed", ""]);
    sandbox.write(join(folder, "HOOK.md"), text("guard", "upper", "matcher: { pattern: cow }\n"));
    expect([callBridge(sandbox, "cow"), callBridge(sandbox, "horse 3")]).toEqual(["upper", ""]);
    rmSync(join(folder, "HOOK.md"));
    expect([callBridge(sandbox, "cow 2"), callBridge(sandbox, "horse 4")]).toEqual(["", "changed"]);
  });

  test("of a known guard that is gone refuses, by its name", async () => {
    const sandbox = new FileHooksSandbox();
    const folder = lowerCase(sandbox.hook(sandbox.userHooks, "guard", { on_error: "block" }, "exit 0"));
    callBridge(sandbox);
    expect((await sandbox.shell(sandbox.hooks())).action).toBe("go_on");
    writeFileSync(join(folder, "hook.md"), "");
    expect((await sandbox.shell(sandbox.hooks())).reason).toContain(
      `${join(folder, "hook.md")} cannot be used`,
    );
    rmSync(join(folder, "hook.md"));
    expect((await sandbox.shell(sandbox.hooks())).reason).toMatch(/it is gone: .*HOOK\.md does not exist/);
  });

  test("in another case is no hook's file, unless the file system ignores case", async () => {
    const sandbox = new FileHooksSandbox();
    const folder = join(sandbox.userHooks, "guard");
    sandbox.write(join(folder, "Hook.md"), text("guard", "mixed"));
    const ignoresCase = existsSync(join(folder, "hook.md"));
    expect((await sandbox.shell(sandbox.hooks())).reason).toBe(ignoresCase ? "mixed" : undefined);
    expect(readdirSync(sandbox.userHooks).map((name) => basename(name))).toEqual(["guard"]);
  });
});
