import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CommandSandbox, ended } from "../testing/command-sandbox.ts";
import { ResidentClaude } from "../testing/resident-claude.ts";

const BLOCK = ["matcher: { tool: Shell, pattern: ls }", "action: block"];

describe.runIf(process.platform === "linux")("a call that a resident process answers", () => {
  test("counts a new, a changed and a removed hook of the user from the moment of the change", async () => {
    const sandbox = new CommandSandbox();
    const resident = await ResidentClaude.start(sandbox);
    const { pid } = resident;
    for (const nth of [1, 2, 3]) {
      const folder = sandbox.hook("added", { scope: "user", fields: [...BLOCK, `reason: added ${nth}`] });
      expect(await resident.ask("ls")).toMatchObject({ code: 2, stderr: `added ${nth}\n` });
      const file = join(folder, "HOOK.md");
      writeFileSync(file, readFileSync(file, "utf8").replace("reason: added", "reason: moved"));
      expect(await resident.ask("ls")).toMatchObject({ code: 2, stderr: `moved ${nth}\n` });
      rmSync(folder, { recursive: true });
      expect(await resident.ask("ls")).toMatchObject({ code: 0, stderr: "" });
    }
    expect(resident.pid).toBe(pid);
  });

  test("counts a changed script, hooks.toml and a withdrawn trust from the moment of the change", async () => {
    const sandbox = new CommandSandbox();
    const toml = join(sandbox.userHooks, "hooks.toml");
    const folder = sandbox.hook("guard", { script: "echo first >&2; exit 2" });
    const resident = await ResidentClaude.start(sandbox);
    const trust = async (...options: readonly string[]) =>
      expect((await sandbox.onTerminal(["trust", ...options, folder], ["y"])).code).toBe(0);
    const { pid } = resident;
    const passes = { code: 0, stderr: expect.not.stringContaining("first") };
    expect(await resident.ask("ls")).toMatchObject(passes);
    await trust();
    expect(await resident.ask("ls")).toMatchObject({ code: 2, stderr: "first\n" });
    sandbox.write(toml, "[daemon]\nenabled = true\n[hooks.guard]\nenabled = false\n");
    expect(await resident.ask("ls")).toMatchObject(passes);
    sandbox.turnDaemonOn();
    expect(await resident.ask("ls")).toMatchObject({ code: 2, stderr: "first\n" });
    await trust("--revoke");
    expect(await resident.ask("ls")).toMatchObject(passes);
    await trust();
    expect(await resident.ask("ls")).toMatchObject({ code: 2, stderr: "first\n" });
    sandbox.hook("guard", { script: "exit 0" });
    // A trusted hook that was changed is not run as it is now.
    expect((await resident.ask("ls")).code).toBe((await coldAnswer(resident)).code);
    expect(resident.pid).toBe(pid);
  });

  test("gives the answer also where it comes before the client has closed its pipe", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("no", { scope: "user", fields: [...BLOCK, "reason: no"] });
    const resident = await ResidentClaude.start(sandbox);
    for (let nth = 0; nth < 10; nth++) {
      const child = resident.claude.start();
      child.stdin.write(resident.claude.payload("ls"));
      expect(await ended(child)).toMatchObject({ code: 2, stderr: "no\n" });
      child.stdin.destroy();
    }
  });
});

/** The answer of the cold bridge to the same call: its caller has another umask. */
function coldAnswer(resident: ResidentClaude) {
  return resident.claude.call("ls", {}, "umask 0027; ");
}
