import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CommandSandbox, ended } from "../testing/command-sandbox.ts";
import { InstalledClaude } from "../testing/installed-claude.ts";

const PLAIN = { NO_COLOR: "1" };
const RECOMMENDED = ["install", "--all", "--rules", "safety,secrets,self", "--yes"];

/** A home in which two coding agents have been used. */
function home(): CommandSandbox {
  const sandbox = new CommandSandbox();
  sandbox.write(join(sandbox.home, ".claude", "settings.json"), "{}\n");
  sandbox.write(join(sandbox.home, ".codex", "config.toml"), "");
  return sandbox;
}

const groupsIn = (sandbox: CommandSandbox) => [
  ...new Set(
    readdirSync(sandbox.userHooks)
      .filter((name) => name.includes("-"))
      .map((name) => name.split("-")[0]),
  ),
];

describe("install on a terminal", () => {
  test("shows agents and rules, writes both after one yes, and has a call refused in each agent", async () => {
    const sandbox = home();
    const refused = await sandbox.onTerminal(["install"], ["n"], PLAIN);
    expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining("Nothing was changed.")]);
    expect([
      existsSync(sandbox.userHooks),
      sandbox.read(join(sandbox.home, ".claude", "settings.json")),
    ]).toEqual([false, "{}\n"]);
    const { code, stdout } = await sandbox.onTerminal(["install"], ["y"], PLAIN);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/safety +\+ \d+ rules .*self +\+ \d+ rules /s)]);
    expect(stdout).toMatch(/Codex CLI +yes +refuses +yes/);
    expect(stdout).toMatch(/✓ +Claude Code +refused it/);
    expect(stdout).toMatch(/✓ +Codex CLI +refused it/);
    expect(stdout).toContain("Your rules also hold in agents of frameworks and on runners");
    expect(stdout.split("[y/N]")).toHaveLength(2);
    expect(groupsIn(sandbox)).toEqual(["safety", "secrets", "self"]);
  });

  test("shows rules that exist and keeps them: no rule that was removed comes back, and nothing is asked", async () => {
    const sandbox = home();
    sandbox.hook("my-rule", { scope: "user", script: "exit 0" });
    await sandbox.onTerminal(["install"], ["y"], PLAIN);
    await sandbox.onTerminal(["rules", "remove", "self-files"], ["y"], PLAIN);
    await sandbox.onTerminal(["rules", "remove", "secrets"], ["y"], PLAIN);
    const before = readdirSync(sandbox.userHooks);
    const { code, stdout } = await sandbox.onTerminal(["install"], ["n"], PLAIN);
    expect(stdout).toMatch(/safety +\d+ rules, kept/);
    expect(stdout).toMatch(/self +1 rule, kept/);
    expect(stdout).toMatch(/secrets +\+ \d+ rules/);
    expect(stdout).toContain("Your own, kept: my-rule");
    expect([code, readdirSync(sandbox.userHooks)]).toEqual([1, before]);
    await sandbox.onTerminal(["install"], ["y"], PLAIN);
    const again = await sandbox.onTerminal(["install"], [], PLAIN);
    expect([again.code, again.stdout]).toEqual([0, expect.not.stringContaining("[y/N]")]);
    expect(existsSync(join(sandbox.userHooks, "self-files"))).toBe(false);
  });

  test("in one agent that is named offers no rules", async () => {
    const sandbox = home();
    const { code, stdout } = await sandbox.onTerminal(["install", "claude"], ["y"], PLAIN);
    expect([code, stdout]).toEqual([0, expect.not.stringContaining("safety  ")]);
    expect(existsSync(sandbox.userHooks)).toBe(false);
  });

  test("says which agent does not refuse, and how to fix it", async () => {
    const sandbox = home();
    sandbox.write(join(sandbox.home, ".claude", "settings.json"), "{");
    const { code, stdout } = await sandbox.onTerminal(["install"], ["y"], PLAIN);
    expect(code).toBe(1);
    expect(stdout).toMatch(/! +Claude Code +has no entries, so no hook is enforced in it/);
    expect(stdout).toMatch(/→ Correct its file .* tenterhook install claude/);
    expect(stdout).toMatch(/✓ +Codex CLI +refused it/);
  });
});

describe("install without a terminal", () => {
  test("writes the groups that are named, and prints what was written", async () => {
    const sandbox = home();
    const { code, stdout } = await sandbox.run(RECOMMENDED);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/Written: \d+ rules in ~\/\.config\/agents\/hooks/),
    ]);
    expect(groupsIn(sandbox)).toEqual(["safety", "secrets", "self"]);
    const json = (await sandbox.json(RECOMMENDED)) as { rules: unknown; refused: unknown };
    expect(json).toMatchObject({
      rules: [],
      refused: [{ client: "claude", findings: [] }, { client: "codex" }],
    });
  });

  test("writes no rule that is not named, and refuses inside an agent", async () => {
    const sandbox = home();
    expect((await sandbox.run(["install", "--all"])).code).toBe(0);
    expect((await sandbox.run(["install"])).code).toBe(0);
    const inside = await sandbox.run(RECOMMENDED, { env: { CLAUDECODE: "1" } });
    expect([inside.code, inside.stderr]).toEqual([1, expect.stringContaining("REFUSED")]);
    expect(existsSync(sandbox.userHooks)).toBe(false);
  });

  test("with --observe writes rules that refuse nothing, and rules add enforces them", async () => {
    const sandbox = home();
    await sandbox.run(["install", "claude", "--rules", "safety", "--observe"]);
    const claude = InstalledClaude.find(sandbox);
    expect((await claude.call("rm -rf ~")).code).toBe(0);
    expect((await sandbox.run(["rules"])).stdout).toMatch(/safety-delete-whole +observed {2}1 would have/);
    expect((await sandbox.onTerminal(["rules", "add", "safety"], ["y"], PLAIN)).code).toBe(0);
    expect((await claude.call("rm -rf ~")).code).toBe(2);
  });

  test.each([
    [["--guard"], "--rules self"],
    [["--rules", "saftey"], "Did you mean safety?"],
    [["claude", "--all"], "Omit it"],
    [["--project", "--rules", "self"], "tenterhook rules add self --project"],
    [["--observe"], "Add --rules"],
  ])("says what to write instead of install %j", async (args, hint) => {
    const sandbox = home();
    const { code, stderr } = await sandbox.run(["install", ...args]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(hint)]);
    expect(sandbox.read(join(sandbox.home, ".claude", "settings.json"))).toBe("{}\n");
  });

  test("--dry-run shows the rules, and writes nothing at all", async () => {
    const sandbox = home();
    const before = readdirSync(sandbox.home, { recursive: true });
    const { code, stdout } = await sandbox.run([...RECOMMENDED, "--dry-run"]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/self +\+ \d+ rules/)]);
    expect(readdirSync(sandbox.home, { recursive: true })).toEqual(before);
  });

  test("keeps the guard of an earlier version, which a person may have edited", async () => {
    const sandbox = home();
    const guard = sandbox.hook("guard-hooks", { scope: "user", script: "exit 0" });
    const text = sandbox.read(join(guard, "HOOK.md"));
    const { stdout } = await sandbox.run(RECOMMENDED);
    expect(stdout).toContain("Your own, kept: guard-hooks");
    expect(sandbox.read(join(guard, "HOOK.md"))).toBe(text);
  });

  test("updates an older bridge before it writes rules", async () => {
    const sandbox = home();
    const claude = await InstalledClaude.install(sandbox);
    const { bundle } = claude;
    sandbox.write(join(bundle, "main.js"), "exports.main = () => process.exit(0);");
    await sandbox.onTerminal(["rules", "add", "safety"], ["y"], PLAIN);
    expect((await claude.call("rm -rf ~")).code).toBe(2);
  });
});

describe("the group self", () => {
  test("keeps an agent from changing hooks, clients' files, trust and the bridge, and lets it read them", async () => {
    const sandbox = home();
    await sandbox.run(["install", "claude", "--rules", "self"]);
    sandbox.write(join(sandbox.project, ".agents", "hooks", "x", "HOOK.md"), "x");
    const claude = InstalledClaude.find(sandbox);
    const write = async (file_path: string, content = "x") => {
      const payload = {
        ...JSON.parse(claude.payload("")),
        tool_name: "Write",
        tool_input: { file_path, content },
      };
      const child = spawn("/bin/sh", ["-c", claude.command()], { cwd: sandbox.project, env: sandbox.env() });
      child.stdin.end(JSON.stringify(payload));
      return (await ended(child)).code;
    };
    const shell = async (text: string) => (await claude.call(text)).code;
    const found = {
      settings: await write(join(sandbox.home, ".claude", "settings.json")),
      hook: await write(join(sandbox.project, ".agents", "hooks", "x", "HOOK.md")),
      trust: await write(join(sandbox.state, "trust.json")),
      redirected: await shell("echo {} > ~/.claude/settings.json"),
      bridge: await shell("rm -rf ~/.local/share/tenterhook-bridge"),
      moved: await shell("mv ~/.config/agents /tmp/elsewhere"),
      folder: await shell("cd ~/.claude && echo {} > settings.json"),
      copied: await shell("cp x $HOME/.cline/hooks/PreToolUse"),
    };
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((key) => [key, 2])));
    const passed = {
      read: await shell("cat ~/.claude/settings.json"),
      list: await shell("cd ~/.claude && ls"),
      about: await write(
        join(sandbox.project, "README.md"),
        "see .claude/settings.json and tenterhook install",
      ),
      message: await shell("git commit -m 'about tenterhook'"),
      beside: await shell("cd .github && echo x > workflows/ci.yml"),
    };
    expect(passed).toEqual(Object.fromEntries(Object.keys(passed).map((key) => [key, 0])));
  });
});
