import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CommandSandbox } from "../testing/command-sandbox.ts";

const PATH = "/usr/bin:/bin";

/** The variables of an installation whose folders have other names than usual. */
function variables(sandbox: CommandSandbox): Record<string, string> {
  const names = { DATA: "my data", CONFIG: "config", STATE: "state", CACHE: "cache" };
  return Object.fromEntries(
    Object.entries(names).map(([name, folder]) => [`XDG_${name}_HOME`, join(sandbox.root, "xdg", folder)]),
  );
}

test("doctor, clients and uninstall find an installation whose XDG variables are not set any more", async () => {
  const sandbox = new CommandSandbox();
  const env = variables(sandbox);
  await sandbox.run(["install", "claude", "opencode"], { env });
  const { stdout, code } = await sandbox.run(["doctor"], { env: { PATH } });
  expect([stdout, code]).toEqual([expect.stringContaining("Nothing is wrong."), 0]);
  expect(stdout).toMatch(/ok Claude Code, user: a call that a script refuses/);
  expect(stdout).toMatch(/coding agents read your hooks from \S*\/xdg\/config\/agents\/hooks/);
  expect(existsSync(join(sandbox.home, ".local"))).toBe(false);
  expect((await sandbox.run(["clients"])).stdout).toMatch(/^installed +user /m);
  await sandbox.run(["uninstall"]);
  expect(existsSync(join(sandbox.home, ".claude", "settings.json"))).toBe(false);
  expect(existsSync(join(sandbox.root, "xdg", "my data", "tenterhook-bridge", "hook"))).toBe(false);
});

test("doctor finds an installation without XDG variables when they are set", async () => {
  const sandbox = new CommandSandbox();
  await sandbox.run(["install", "claude"]);
  const { stdout, code } = await sandbox.run(["doctor"], { env: { PATH, ...variables(sandbox) } });
  expect([stdout, code]).toEqual([expect.stringContaining("Nothing is wrong."), 0]);
  expect(existsSync(join(sandbox.root, "xdg"))).toBe(false);
});

test("doctor checks the hooks that coding agents read, not those that this shell would read", async () => {
  const sandbox = new CommandSandbox();
  const env = variables(sandbox);
  await sandbox.run(["install", "claude"], { env });
  sandbox.write(
    join(env.XDG_CONFIG_HOME ?? "", "agents", "hooks", "broken", "HOOK.md"),
    "---\nname: broken\n---\n",
  );
  expect((await sandbox.run(["doctor"], { env: { PATH } })).stdout).toContain("/broken/HOOK.md");
});
