import { execFileSync } from "node:child_process";
import { chmodSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CommandSandbox } from "../testing/command-sandbox.ts";

interface Step {
  readonly title: string;
  readonly duration_ms: number;
  readonly findings: readonly { readonly problem: string; readonly fix: string }[];
  readonly notes: readonly string[];
}

async function diagnosed(sandbox: CommandSandbox, ...args: string[]) {
  const { code, stdout } = await sandbox.run(["doctor", "--json", ...args], {
    env: { PATH: "/usr/bin:/bin" },
  });
  const { steps } = JSON.parse(stdout) as { steps: Step[] };
  return { code, steps, problems: steps.flatMap(({ findings }) => findings.map(({ problem }) => problem)) };
}

const settings = (sandbox: CommandSandbox) => join(sandbox.home, ".claude", "settings.json");
const folder = (sandbox: CommandSandbox) => join(sandbox.home, ".local", "share", "tenterhook-bridge");

describe("doctor", () => {
  test("reports that nothing is installed, with the command to install", async () => {
    const { code, steps } = await diagnosed(new CommandSandbox());
    expect(code).toBe(1);
    expect(steps[0]?.findings).toEqual([
      { problem: "nothing is installed, so no coding agent enforces hooks", fix: "Run: tenterhook install" },
    ]);
  });

  test("finds nothing wrong after install, having had a call refused through every client's command", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("guard", {
      scope: "user",
      fields: ["on_error: block", "matcher: { tool: Shell }"],
      script: "exit 0",
    });
    const all = ["claude", "codex", "gemini", "qwen", "copilot", "kimi", "droid", "cline", "opencode"];
    await sandbox.run(["install", ...all]);
    const { code, steps, problems } = await diagnosed(sandbox);
    expect(problems).toEqual([]);
    expect(code).toBe(0);
    const sent = steps.filter(({ title }) => title.endsWith("a call that a script refuses"));
    expect(sent).toHaveLength(all.length);
    for (const { duration_ms: ms } of sent) expect(ms).toBeGreaterThan(5);
    expect((await sandbox.run(["doctor"])).stdout).toMatch(
      /^ok Claude Code, user: a call that a script refuses \d+ ms$/m,
    );
  });

  test("notices that a coding agent with entries is not on this machine", async () => {
    const sandbox = new CommandSandbox();
    await sandbox.run(["install", "claude", "codex"]);
    expect(await diagnosed(sandbox)).toMatchObject({ code: 0, problems: [] });
    sandbox.removeProgram("claude");
    const { code, problems, steps } = await diagnosed(sandbox);
    expect(code).toBe(1);
    expect(problems).toEqual(["Claude Code is not on this machine: there is no program claude in the PATH"]);
    expect(JSON.stringify(steps)).toContain("tenterhook uninstall claude");
  });

  test("notices that a coding agent which it is asked about has no entries", async () => {
    const sandbox = new CommandSandbox();
    await sandbox.run(["install", "claude"]);
    const { code, problems } = await diagnosed(sandbox, "gemini");
    expect([code, problems]).toEqual([
      1,
      ["no hooks are enforced in Gemini CLI: it has no entries of Tenterhook"],
    ]);
  });

  test.each([
    ["before_llm", [], "Codex CLI has no event for before_llm"],
    ["before_tool", ["matcher: { tool: Terminal }"], "none is known to have a tool Terminal"],
  ])("notices a hook that can never fire: %s %j", async (trigger, fields, why) => {
    const sandbox = new CommandSandbox();
    sandbox.hook("never", { scope: "user", trigger, fields, script: "exit 0" });
    await sandbox.run(["install", "claude", "codex"]);
    const { code, problems } = await diagnosed(sandbox);
    expect(problems).toEqual([
      expect.stringContaining("never can never fire in a coding agent with entries"),
    ]);
    expect(problems[0]).toContain(why);
    expect(code).toBe(1);
    expect((await sandbox.onTerminal(["disable", "never"], ["y"])).code).toBe(0);
    expect(await diagnosed(sandbox)).toMatchObject({ code: 0, problems: [] });
  });

  test.each(["mcp__files__read", "Sh.*", "Shell", "Shel", "Bash", "Shel|Shell"])(
    "takes a hook for one that may fire if its matcher's tool is %s",
    async (tool) => {
      const sandbox = new CommandSandbox();
      sandbox.hook("may-fire", { scope: "user", fields: [`matcher: { tool: "${tool}" }`], script: "exit 0" });
      await sandbox.run(["install", "claude"]);
      expect(await diagnosed(sandbox)).toMatchObject({ code: 0, problems: [] });
    },
  );

  test("notices an entry that was removed, one that was changed, and a switch that turns hooks off", async () => {
    const sandbox = new CommandSandbox();
    await sandbox.run(["install", "claude", "codex"]);
    const json = JSON.parse(sandbox.read(settings(sandbox)));
    delete json.hooks.PreToolUse;
    json.hooks.Stop[0].hooks[0].timeout = 1;
    json.disableAllHooks = true;
    sandbox.write(settings(sandbox), JSON.stringify(json));
    sandbox.write(
      join(sandbox.home, ".codex", "config.toml"),
      `${sandbox.read(join(sandbox.home, ".codex", "config.toml"))}\n[features]\nhooks = false\n`,
    );
    const { code, problems, steps } = await diagnosed(sandbox);
    expect(code).toBe(1);
    expect(problems).toEqual([
      expect.stringContaining("no entry of Tenterhook for PreToolUse"),
      expect.stringMatching(/out of date.*: Stop$/),
      expect.stringContaining("turns all hooks of Claude Code off (disableAllHooks is true)"),
      expect.stringContaining("turns all hooks of Codex CLI off (features.hooks is false)"),
    ]);
    for (const { findings } of steps) for (const { fix } of findings) expect(fix).not.toBe("");
  });

  test("notices a switch in a folder that a variable of the client names", async () => {
    const sandbox = new CommandSandbox();
    const moved = join(sandbox.home, "moved");
    const env = { CLAUDE_CONFIG_DIR: join(moved, "claude"), CODEX_HOME: join(moved, "codex") };
    await sandbox.run(["install", "claude", "codex"], { env });
    const file = join(moved, "claude", "settings.json");
    sandbox.write(file, JSON.stringify({ ...JSON.parse(sandbox.read(file)), disableAllHooks: true }));
    const toml = join(moved, "codex", "config.toml");
    sandbox.write(toml, `${sandbox.read(toml)}\n[features]\nhooks = false\n`);
    const { stdout, code } = await sandbox.run(["doctor"], { env });
    expect(code).toBe(1);
    expect(stdout).toContain("turns all hooks of Claude Code off");
    expect(stdout).toContain("turns all hooks of Codex CLI off");
  });

  test("notices that Codex does not trust an entry any more because it has moved", async () => {
    const sandbox = new CommandSandbox();
    await sandbox.run(["install", "codex"]);
    const file = join(sandbox.home, ".codex", "hooks.json");
    const json = JSON.parse(sandbox.read(file));
    json.hooks.PreToolUse.unshift({ matcher: "x", hooks: [{ type: "command", command: "theirs" }] });
    sandbox.write(file, JSON.stringify(json));
    expect((await diagnosed(sandbox)).problems).toEqual([
      expect.stringContaining("PreToolUse has moved in hooks.json"),
    ]);
    await sandbox.run(["install", "codex"]);
    expect((await diagnosed(sandbox)).problems).toEqual([]);
  });

  test("notices that node, the bridge or the hook is gone", async () => {
    const sandbox = new CommandSandbox();
    await sandbox.run(["install", "claude"]);
    const hook = join(folder(sandbox), "hook");
    const text = sandbox.read(hook);
    sandbox.write(hook, text.replace(/^node=.*$/m, "node=/gone/node"), 0o755);
    expect((await diagnosed(sandbox)).problems).toEqual([
      "node is gone from /gone/node",
      expect.stringContaining("the bridge does not run, so all hooks are passed over"),
    ]);
    rmSync(hook);
    expect((await diagnosed(sandbox)).problems).toEqual([
      expect.stringContaining("is gone, so coding agents cannot start it"),
      expect.stringMatching(
        /a call that a hook refuses is not refused: exit code 127: .*tenterhook-bridge\/hook/,
      ),
    ]);
  });

  // Permission bits do not stop root, so a file does here.
  test("reports a state folder that cannot be written to, and how to fix it", async () => {
    const sandbox = new CommandSandbox();
    await sandbox.run(["install", "codex"]);
    const sessions = join(sandbox.home, ".local", "state", "tenterhook", "bridge", "sessions");
    rmSync(sessions, { recursive: true, force: true });
    sandbox.write(sessions, "");
    const { code, steps, problems } = await diagnosed(sandbox);
    expect(code).toBe(1);
    expect(problems).toEqual([
      expect.stringMatching(
        /^the state folder \S+sessions cannot be written to: it is a file, not a folder\./,
      ),
    ]);
    const [finding] = steps.find(({ title }) => title === "the state folder")?.findings ?? [];
    expect(finding?.fix).toMatch(/yours and writable.*XDG_STATE_HOME.*tenterhook install/);
    rmSync(sessions);
    expect((await diagnosed(sandbox)).problems).toEqual([]);
  });

  test("notices a guard that needs the client's fail-closed switch since install", async () => {
    const sandbox = new CommandSandbox();
    await sandbox.run(["install", "claude"]);
    expect((await diagnosed(sandbox)).problems).toEqual([]);
    sandbox.hook("guard", { scope: "user", fields: ["on_error: block"], script: "exit 0" });
    expect((await diagnosed(sandbox)).problems).toEqual([
      expect.stringContaining("on_error: block needs: PreToolUse"),
    ]);
    await sandbox.run(["install", "claude"]);
    expect((await diagnosed(sandbox)).problems).toEqual([]);
  });

  test("names hooks that are untrusted, shadowed or broken, and those that are not enforced at all in an installed client", async () => {
    const sandbox = new CommandSandbox();
    await sandbox.run(["install", "codex", "claude"]);
    sandbox.hook("twice", { scope: "user", script: "exit 0" });
    sandbox.hook("twice", { script: "exit 0" });
    sandbox.hook("fresh", { script: "exit 0" });
    sandbox.hook("broken", { scope: "user", trigger: "before_nothing" });
    sandbox.hook("reader", { scope: "user", fields: ["matcher: { tool: ReadFile }"], script: "exit 2" });
    const { problems, steps } = await diagnosed(sandbox);
    expect(problems).toEqual(
      expect.arrayContaining([
        expect.stringContaining("twice is shadowed"),
        expect.stringContaining("fresh was never trusted"),
        expect.stringContaining("before_nothing"),
      ]),
    );
    expect(steps.flatMap(({ notes }) => notes)).toEqual([
      expect.stringContaining("reader is not enforced in Codex CLI"),
    ]);
  });

  test("names a hook of another tool that changes input beside ours", async () => {
    const sandbox = new CommandSandbox();
    const script = sandbox.write(
      join(sandbox.root, "theirs.sh"),
      `echo '{"hookSpecificOutput":{"updatedInput":{}}}'\n`,
    );
    sandbox.write(
      settings(sandbox),
      JSON.stringify({
        hooks: {
          PreToolUse: [
            {
              hooks: [
                { type: "command", command: `sh ${script}` },
                { type: "command", command: "true" },
              ],
            },
          ],
        },
      }),
    );
    await sandbox.run(["install", "claude"]);
    expect((await diagnosed(sandbox)).problems).toEqual([
      expect.stringContaining(`unseen by it: sh ${script}`),
    ]);
  });

  test("is not stopped by a foreign command whose words are no paths, or whose path is a pipe", async () => {
    const sandbox = new CommandSandbox();
    await sandbox.run(["install", "claude"]);
    const json = JSON.parse(sandbox.read(settings(sandbox)));
    const pipe = join(sandbox.root, "pipe");
    execFileSync("mkfifo", [pipe]);
    const command = `cat ${pipe} /dev/zero ./${"x".repeat(5_000)} && node -e 'a/${"b".repeat(300)}'`;
    json.hooks.PreToolUse.push({ matcher: "*", hooks: [{ type: "command", command }] });
    sandbox.write(settings(sandbox), JSON.stringify(json));
    expect(await diagnosed(sandbox)).toMatchObject({ code: 0, problems: [] });
  });

  test("names one in the project's file, by the folder's variable, and reads no device", async () => {
    const sandbox = new CommandSandbox();
    await sandbox.run(["install", "claude"]);
    sandbox.write(join(sandbox.project, ".claude", "hooks", "theirs.sh"), "echo updatedInput\n");
    sandbox.write(join(sandbox.home, "other.sh"), "echo updatedInput\n");
    const commands = [
      'sh "$CLAUDE_PROJECT_DIR"/.claude/hooks/theirs.sh',
      "sh ~/other.sh",
      "head -c 1 /dev/zero",
    ];
    const hooks = commands.map((command) => ({ type: "command", command }));
    sandbox.write(
      join(sandbox.project, ".claude", "settings.json"),
      JSON.stringify({ hooks: { PreToolUse: [{ hooks }] } }),
    );
    expect((await diagnosed(sandbox)).problems).toEqual(
      commands.slice(0, 2).map((command) => expect.stringContaining(`unseen by it: ${command}`)),
    );
  });
});

describe("what doctor advises mends what it found:", () => {
  const isMended = async (sandbox: CommandSandbox) => (await diagnosed(sandbox)).code === 0;

  test("a hook, or a client's script, that is not executable", async () => {
    const sandbox = new CommandSandbox();
    await sandbox.run(["install", "claude", "cline"]);
    const script = join(sandbox.home, ".cline", "hooks", "PostToolUse");
    chmodSync(script, 0o640);
    expect((await diagnosed(sandbox)).problems).toEqual(["~/.cline/hooks/PostToolUse is not executable"]);
    chmodSync(join(folder(sandbox), "hook"), 0o644);
    expect((await diagnosed(sandbox)).problems).toContainEqual(
      expect.stringMatching(/a call that a hook refuses is not refused: exit code 126/),
    );
    await sandbox.run(["install", "claude", "cline"]);
    expect(statSync(script).mode & 0o777).toBe(0o740);
    expect(await isMended(sandbox)).toBe(true);
  });

  test("an entry that was turned off in Codex, and one hook turned off by its name in Gemini CLI", async () => {
    const sandbox = new CommandSandbox();
    await sandbox.run(["install", "codex", "gemini"]);
    const [config, gemini] = [".codex/config.toml", ".gemini/settings.json"].map((path) =>
      join(sandbox.home, path),
    ) as [string, string];
    const [text, json] = [sandbox.read(config), sandbox.read(gemini)];
    sandbox.write(config, text.replace("trusted_hash", "enabled = false\ntrusted_hash"));
    sandbox.write(gemini, JSON.stringify({ ...JSON.parse(json), hooksConfig: { disabled: ["tenterhook"] } }));
    const { steps } = await diagnosed(sandbox);
    expect(steps.flatMap(({ findings }) => findings)).toEqual([
      {
        problem: "SessionStart is turned off in Codex CLI (enabled = false)",
        fix: "Turn it on in Codex CLI, or remove enabled = false from it in ~/.codex/config.toml.",
      },
      {
        problem: expect.stringContaining(
          "turns all hooks of Gemini CLI off (hooksConfig.disabled has tenterhook)",
        ),
        fix: "Remove tenterhook from hooksConfig.disabled in it.",
      },
    ]);
    sandbox.write(config, text);
    sandbox.write(gemini, JSON.stringify({ ...JSON.parse(json), hooksConfig: { disabled: [] } }));
    expect(await isMended(sandbox)).toBe(true);
  });
});

describe("clients", () => {
  test("shows what is enforced where, what is installed, and how it is known", async () => {
    const sandbox = new CommandSandbox();
    await sandbox.run(["install", "claude"]);
    const { stdout } = await sandbox.run(["clients"]);
    expect(stdout).toMatch(/^ +claude +codex +gemini/m);
    expect(stdout).toMatch(/^installed +user +- /m);
    expect(stdout).toMatch(/^keep it working +yes .* no +no$/m);
    const one = await sandbox.run(["clients", "codex"]);
    expect(one.stdout).toContain("change its input         with can_approve");
    expect(one.stdout).toContain("Files are read through the shell");
    const { clients } = JSON.parse((await sandbox.run(["clients", "cline", "--json"])).stdout);
    expect(clients[0].capabilities[0]).toMatchObject({
      id: "refuse_tool",
      enforced: "ends the run",
      evidence: "measured",
    });
  });
});
