import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { loadClient } from "@tenterhook/bridges";
import { installationFor, installedCommand, installedFiles, readRecord } from "@tenterhook/bridges/install";
import { describe, expect, test } from "vitest";
import { fixtures } from "../../../bridges/src/testing/fixtures.ts";
import { BIN, CommandSandbox, ended, type Ran } from "../testing/command-sandbox.ts";

const SETTINGS = "{\n  // not for Claude\n}\n";
const ALL = ["claude", "codex", "gemini", "qwen", "copilot", "kimi", "droid", "cline", "opencode"];

const settings = (sandbox: CommandSandbox) => join(sandbox.home, ".claude", "settings.json");
const hookOf = (sandbox: CommandSandbox) =>
  join(sandbox.home, ".local", "share", "tenterhook-bridge", "hook");

/** Every file below a folder, with its bytes and its mode. */
function snapshot(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !/[\\/]\.(?:local|cache)[\\/]/.test(path))
      .map((path) => [path, `${(statSync(path).mode & 0o777).toString(8)} ${readFileSync(path, "utf8")}`]),
  );
}

/** Starts the very command that stands in a client's file, as the client does. */
function asClient(
  sandbox: CommandSandbox,
  command: string,
  payload: object,
  env: Record<string, string> = {},
): Promise<Ran> {
  const child = spawn("/bin/sh", ["-c", command], { cwd: sandbox.project, env: sandbox.env(env) });
  child.stdin.on("error", () => undefined);
  child.stdin.end(JSON.stringify(payload));
  return ended(child);
}

function claudeCommand(sandbox: CommandSandbox, event = "PreToolUse"): string {
  return JSON.parse(sandbox.read(settings(sandbox))).hooks[event].at(-1).hooks[0].command;
}

const bash = (sandbox: CommandSandbox, command: string) => ({
  session_id: "s1",
  cwd: sandbox.project,
  permission_mode: "default",
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command },
  tool_use_id: `id ${command}`,
});

function guard(sandbox: CommandSandbox): void {
  sandbox.hook("guard", {
    scope: "user",
    fields: ["on_error: block", "matcher: { tool: Shell, pattern: rm }"],
    script: "echo not here >&2; exit 2",
  });
}

describe("install", () => {
  test("enforces a hook in a client, through the command in its file, and uninstall restores the bytes", async () => {
    const sandbox = new CommandSandbox();
    guard(sandbox);
    const original = '{\r\n\t"model": "opus",\r\n\t"hooks": { "Stop": [ ] }\r\n}';
    sandbox.write(settings(sandbox), `\uFEFF${original}`, 0o640);
    const before = snapshot(sandbox.home);
    const ran = await sandbox.run(["install"]);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.stdout).toContain("+ SessionStart, SessionEnd");
    expect(ran.stdout).toContain("1 hook is enforced fully");
    expect(ran.stdout).toContain("All your hooks are enforced in Claude Code.");
    expect(statSync(settings(sandbox)).mode & 0o777).toBe(0o640);
    expect(sandbox.read(settings(sandbox)).startsWith(`\uFEFF{\r\n\t"model": "opus",`)).toBe(true);
    const text = sandbox.read(settings(sandbox)).slice(1);
    const command = JSON.parse(text).hooks.PreToolUse[0].hooks[0].command;
    expect(JSON.parse(text).hooks.PreToolUse[0].hooks[0]).toMatchObject({ onFailure: "block", timeout: 600 });
    expect(JSON.parse(text).hooks.PostToolUse[0].hooks[0]).not.toHaveProperty("onFailure");
    expect(await asClient(sandbox, command, bash(sandbox, "rm x"))).toMatchObject({
      code: 2,
      stderr: "not here\n",
    });
    expect(await asClient(sandbox, command, bash(sandbox, "ls"))).toEqual({
      code: 0,
      stdout: "",
      stderr: "",
    });

    const backups = join(sandbox.home, ".local", "share", "tenterhook-bridge", "backups");
    for (const name of readdirSync(backups)) expect(statSync(join(backups, name)).mode & 0o777).toBe(0o600);

    const gone = await sandbox.run(["uninstall"]);
    expect(gone).toMatchObject({ code: 0, stderr: "" });
    expect(gone.stdout).toContain("is as it was before");
    expect(snapshot(sandbox.home)).toEqual(before);
    expect(existsSync(hookOf(sandbox))).toBe(false);
  });

  test("without a terminal prints what it wrote and how to undo it, and that command undoes it", async () => {
    const sandbox = new CommandSandbox();
    sandbox.write(settings(sandbox), '{"model": "opus"}');
    const before = snapshot(sandbox.home);
    const { code, stdout } = await sandbox.run(["install", "claude", "gemini"]);
    expect(code).toBe(0);
    const [, claude, gemini, undo] =
      /^Written without a question:\n {2}(\S+) \(changed\)\n {2}(\S+) \(new\)\nTo undo it: tenterhook (.*)$/m.exec(
        stdout,
      ) ?? [];
    expect([claude, gemini]).toEqual(["~/.claude/settings.json", "~/.gemini/settings.json"]);
    expect(undo).toBe("uninstall claude gemini --user");
    expect((await sandbox.run(["install", "claude", "gemini"])).stdout).toContain(
      "Nothing had to be written.",
    );
    expect((await sandbox.run((undo ?? "").split(" "))).code).toBe(0);
    expect(snapshot(sandbox.home)).toEqual(before);
  });

  test("installs in all clients, changes nothing when it is run again, and leaves nothing behind", async () => {
    const sandbox = new CommandSandbox();
    const before = snapshot(sandbox.home);
    expect(await sandbox.run(["install", ...ALL])).toMatchObject({ code: 0 });
    const first = snapshot(sandbox.home);
    const again = await sandbox.run(["install", ...ALL]);
    expect(again.stdout).not.toMatch(/is made|is changed/);
    expect(snapshot(sandbox.home)).toEqual(first);
    expect(Object.keys(first).some((path) => path.endsWith(".codex/config.toml"))).toBe(true);
    expect(statSync(join(sandbox.home, ".cline", "hooks", "PreToolUse")).mode & 0o111).not.toBe(0);
    expect(await sandbox.run(["uninstall"])).toMatchObject({ code: 0 });
    expect(snapshot(sandbox.home)).toEqual(before);
    expect(readdirSync(sandbox.home).filter((name) => !/^\.(?:local|cache|config)$/.test(name))).toEqual([]);
  });

  test("a call of every client is checked by the command that was installed for it", async () => {
    const sandbox = new CommandSandbox();
    for (const trigger of ["before_tool", "permission_request"])
      sandbox.hook(trigger.replace("_", "-"), {
        scope: "user",
        trigger,
        fields: ["action: block", "reason: not here"],
      });
    await sandbox.run(["install", ...ALL]);
    const installation = installationFor(sandbox.project, { HOME: sandbox.home });
    const record = readRecord(installation.record);
    const at = { home: sandbox.home, project: sandbox.project, env: {} };
    const recorded = new Map(fixtures().map((each) => [each.name, each.stdin]));
    const calls = [
      ["claude", "PreToolUse", "claude/PreToolUse.Bash"],
      ["codex", "PreToolUse", "codex/PreToolUse.Bash"],
      ["gemini", "BeforeTool", "gemini/BeforeTool.run_shell_command"],
      ["qwen", "PreToolUse", "qwen/PreToolUse.run_shell_command"],
      ["copilot", "PreToolUse", "copilot-pascal/PreToolUse.Bash"],
      // Its payload does not name its event.
      ["copilot", "permissionRequest", "copilot/permissionRequest.bash"],
      ["kimi", "PreToolUse", "kimi/PreToolUse.Bash"],
      ["droid", "PreToolUse", "droid/PreToolUse.Execute"],
      ["cline", "PreToolUse", "cline/tool_call.run_commands"],
      ["opencode", "PreToolUse", "opencode/PreToolUse.bash"],
    ] as const;
    const answers = await Promise.all(
      calls.map(async ([id, event, fixture]) => {
        const client = await loadClient(id);
        if (client === undefined) throw new Error(`${id} is no client`);
        const [command] = installedFiles(client, "user", at, record).flatMap(
          (file) => installedCommand(client, file, event, installation) ?? [],
        );
        return [fixture, (await asClient(sandbox, command ?? "", recorded.get(fixture) ?? {})).stderr];
      }),
    );
    expect(answers).toEqual(calls.map(([, , fixture]) => [fixture, "not here\n"]));
  });

  test("--dry-run shows what would change, and changes nothing", async () => {
    const sandbox = new CommandSandbox();
    sandbox.write(settings(sandbox), "{}\n");
    const before = snapshot(sandbox.home);
    const { stdout } = await sandbox.run(["install", "--dry-run"]);
    expect(stdout).toContain("~/.claude/settings.json is changed");
    expect(stdout).toContain("Nothing was written.");
    expect(snapshot(sandbox.home)).toEqual(before);
    expect(existsSync(hookOf(sandbox))).toBe(false);
  });

  test("finds clients by their programs and their folders, and starts none of the project's", async () => {
    const sandbox = new CommandSandbox();
    const bin = join(sandbox.root, "bin");
    sandbox.write(join(bin, "gemini"), "#!/bin/sh\necho 0.61.0\n", 0o755);
    sandbox.write(join(sandbox.project, "bin", "codex"), `#!/bin/sh\ntouch '${sandbox.root}/ran'\n`, 0o755);
    mkdirSync(join(sandbox.home, ".qwen"));
    const PATH = `${join(sandbox.project, "bin")}:bin:${bin}:/usr/bin:/bin`;
    const { files } = JSON.parse(
      (await sandbox.run(["install", "--dry-run", "--json"], { env: { PATH } })).stdout,
    );
    expect(files.map(({ client }: { client: string }) => client)).toEqual(["gemini", "qwen"]);
    expect(existsSync(join(sandbox.root, "ran"))).toBe(false);
    expect((await sandbox.run(["install", "--dry-run"], { env: { PATH } })).stdout).toContain(
      "Gemini CLI 0.61.0",
    );
  });

  test("without a client on the machine it lists the known ones", async () => {
    const { code, stderr } = await new CommandSandbox().run(["install"], { env: { PATH: "/usr/bin:/bin" } });
    expect([code, stderr]).toEqual([1, expect.stringContaining("claude, codex, gemini")]);
  });

  test.each([
    ["clade", "Did you mean claude?"],
    ["cursor", "Known: claude, codex"],
  ])("a client called %s is refused with the known names", async (name, message) => {
    const { code, stderr } = await new CommandSandbox().run(["install", name]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
  });

  test("files that cannot be changed are left alone and named, and the others are installed", async () => {
    const sandbox = new CommandSandbox();
    const outside = join(sandbox.root, "elsewhere.json");
    sandbox.write(outside, "{}");
    sandbox.write(settings(sandbox), SETTINGS);
    mkdirSync(join(sandbox.home, ".codex", "hooks.json"), { recursive: true });
    mkdirSync(join(sandbox.home, ".gemini"));
    symlinkSync(outside, join(sandbox.home, ".gemini", "settings.json"));
    sandbox.write(join(sandbox.home, ".qwen", "settings.json"), "{}", 0o444);
    sandbox.write(join(sandbox.home, ".cline", "hooks", "PreToolUse.sh"), "#!/bin/sh\n", 0o755);
    sandbox.write(
      join(sandbox.home, ".cline", "hooks", "PostToolUse"),
      "#!/bin/sh\n# of another tool\n",
      0o755,
    );
    sandbox.write(join(sandbox.home, ".kimi-code", "config.toml"), "model = \n");
    sandbox.write(
      join(sandbox.home, ".factory", "hooks.json"),
      Buffer.from([0x7b, 0xff, 0x7d]).toString("latin1"),
    );
    writeFileSync(join(sandbox.home, ".factory", "hooks.json"), Buffer.from([0x7b, 0xff, 0x7d]));
    const before = snapshot(sandbox.home);
    const { code, stdout } = await sandbox.run(["install", ...ALL]);
    expect(code).toBe(1);
    for (const words of [
      "~/.claude/settings.json is left alone: line 2: it has a comment",
      "~/.codex/hooks.json is left alone: there is a folder in its place",
      "~/.gemini/settings.json is left alone: a symbolic link leads to",
      "~/.qwen/settings.json is left alone: it is read-only",
      "~/.kimi-code/config.toml is left alone: line 1",
      "~/.factory/hooks.json is left alone: it is no UTF-8 text",
      "~/.cline/hooks/PreToolUse is left alone: another tool wrote",
      "~/.cline/hooks/PostToolUse is left alone: another tool wrote it",
    ])
      expect(stdout).toContain(words);
    const after = snapshot(sandbox.home);
    for (const [path, content] of Object.entries(before)) expect(after[path]).toBe(content);
    expect(existsSync(join(sandbox.home, ".copilot", "hooks", "tenterhook.json"))).toBe(true);
    expect(sandbox.read(outside)).toBe("{}");
  });

  test("does not claim that hooks are enforced in a client of which one file was left alone", async () => {
    const sandbox = new CommandSandbox();
    sandbox.write(join(sandbox.home, ".codex", "config.toml"), "model = \n");
    const { code, stdout } = await sandbox.run(["install", "codex", "claude"]);
    expect(code).toBe(1);
    expect(stdout).toContain("~/.codex/config.toml is left alone: line 1");
    expect(stdout).toMatch(/^Hooks will be enforced in Claude Code\.$/m);
  });

  test("ends with the hooks that a client enforces partly or not at all, why, and what to do", async () => {
    const sandbox = new CommandSandbox();
    guard(sandbox);
    sandbox.hook("reader", { scope: "user", fields: ["matcher: { tool: ReadFile }"], script: "exit 2" });
    sandbox.hook("gate", { scope: "user", trigger: "session_start", script: "exit 2" });
    sandbox.hook("fresh", { script: "exit 2" });
    const { stdout, code } = await sandbox.run(["install", "codex", "claude"]);
    expect(code).toBe(0);
    expect(stdout).not.toContain("All your hooks are enforced");
    const end = stdout.slice(
      stdout.indexOf("Not all of your hooks are enforced fully in Codex CLI and Claude Code:"),
    );
    expect(end).toMatch(
      /reader is not enforced in Codex CLI: Codex CLI has no tool ReadFile.*\n +→ Add Shell to matcher\.tool/,
    );
    expect(end).toMatch(
      /gate is enforced partly in Claude Code: .*cannot refuse a session.*\n +→ Guard .* at before_tool/,
    );
    expect(end).toMatch(
      /fresh is not enforced in Claude Code: it was never trusted.*\n +→ .*tenterhook trust fresh/,
    );
    expect(end).toMatch(/guard is enforced partly in Codex CLI: .*what is typed.*\n +→ .*from a script/);
    expect(end).not.toContain("guard is enforced partly in Claude Code");
  });

  test("a symbolic link inside the home is followed, and stays one", async () => {
    const sandbox = new CommandSandbox();
    const dotfiles = sandbox.write(join(sandbox.home, "dotfiles", "claude.json"), "{}\n");
    mkdirSync(join(sandbox.home, ".claude"));
    symlinkSync(dotfiles, settings(sandbox));
    await sandbox.run(["install"]);
    expect(realpathSync(settings(sandbox))).toBe(realpathSync(dotfiles));
    expect(JSON.parse(sandbox.read(dotfiles)).hooks.PreToolUse).toHaveLength(1);
    await sandbox.run(["uninstall"]);
    expect(sandbox.read(dotfiles)).toBe("{}\n");
    expect(realpathSync(settings(sandbox))).toBe(realpathSync(dotfiles));
  });

  test("an empty file counts as none, and is empty again afterwards", async () => {
    const sandbox = new CommandSandbox();
    sandbox.write(settings(sandbox), "");
    expect(await sandbox.run(["install"])).toMatchObject({ code: 0 });
    expect(JSON.parse(sandbox.read(settings(sandbox))).hooks.PreToolUse).toHaveLength(1);
    await sandbox.run(["uninstall"]);
    expect(sandbox.read(settings(sandbox))).toBe("");
  });

  test("uninstall asks on a terminal, unless --yes says that it need not", async () => {
    const sandbox = new CommandSandbox();
    await sandbox.run(["install", "claude"]);
    const before = snapshot(sandbox.home);
    const refused = await sandbox.onTerminal(["uninstall"], ["n"], { NO_COLOR: "1" });
    expect(refused.stdout).toMatch(
      /settings\.json is .*\nTake these out\? \[y\/N\] n\nNothing was changed\.\n$/,
    );
    expect(refused.code).toBe(1);
    expect(snapshot(sandbox.home)).toEqual(before);
    const agreed = await sandbox.onTerminal(["uninstall"], ["y"], { NO_COLOR: "1" });
    expect(agreed).toMatchObject({ code: 0, stdout: expect.stringMatching(/\nDone\.\n$/) });
    expect(existsSync(hookOf(sandbox))).toBe(false);
    await sandbox.run(["install", "claude"]);
    const unasked = await sandbox.onTerminal(["uninstall", "--yes"]);
    expect(unasked.stdout).not.toContain("[y/N]");
    expect(existsSync(hookOf(sandbox))).toBe(false);
    expect((await sandbox.onTerminal(["uninstall"], [])).stdout).toBe("Tenterhook is not installed.\n");
  });

  test("after a person has edited the file, uninstall takes out exactly our entries", async () => {
    const sandbox = new CommandSandbox();
    sandbox.write(settings(sandbox), '{\n  "model": "opus"\n}\n');
    await sandbox.run(["install"]);
    const edited = sandbox
      .read(settings(sandbox))
      .replace('"model": "opus"', '"model": "sonnet",\n  "theme": "dark"')
      .replace('"Stop": [', '"Stop": [\n      { "hooks": [{ "type": "command", "command": "mine" }] },');
    sandbox.write(settings(sandbox), edited);
    const { stdout } = await sandbox.run(["uninstall"]);
    expect(stdout).toContain("is without the entries of Tenterhook");
    expect(JSON.parse(sandbox.read(settings(sandbox)))).toEqual({
      model: "sonnet",
      theme: "dark",
      hooks: { Stop: [{ hooks: [{ type: "command", command: "mine" }] }] },
    });
  });

  test("uninstall names the hooks of other tools that Codex will ask about again because they move up, and doctor names them before", async () => {
    const sandbox = new CommandSandbox();
    await sandbox.run(["install", "codex"]);
    const file = join(sandbox.home, ".codex", "hooks.json");
    const json = JSON.parse(sandbox.read(file));
    const theirs = { matcher: "x", hooks: [{ type: "command", command: "theirs" }] };
    json.hooks.PreToolUse.push(theirs);
    json.hooks.Stop.unshift({ hooks: [{ type: "command", command: "first" }] });
    sandbox.write(file, JSON.stringify(json));
    const moved = "hooks of other tools at PreToolUse stand after ours and move up";
    expect((await sandbox.run(["doctor", "codex"])).stdout).toContain(moved);
    expect((await sandbox.run(["uninstall", "--dry-run"])).stdout).toContain(moved);
    const { code, stdout } = await sandbox.run(["uninstall"]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("Codex skips them until it has asked you")]);
    expect(JSON.parse(sandbox.read(file)).hooks.PreToolUse).toEqual([theirs]);
  });

  test("uninstall finds our entries although the record of them was lost", async () => {
    const sandbox = new CommandSandbox();
    await sandbox.run(["install", "claude", "kimi", "codex", "opencode"]);
    rmSync(join(sandbox.home, ".local"), { recursive: true });
    expect(await sandbox.run(["uninstall"])).toMatchObject({ code: 0 });
    expect(sandbox.read(settings(sandbox))).not.toContain("tenterhook-bridge");
    expect(sandbox.read(join(sandbox.home, ".kimi-code", "config.toml"))).toBe("");
    expect(sandbox.read(join(sandbox.home, ".codex", "config.toml"))).toBe("");
    expect(existsSync(join(sandbox.home, ".config", "opencode", "plugin", "tenterhook.js"))).toBe(false);
  });

  test("several at once have the effect of one", async () => {
    const sandbox = new CommandSandbox();
    sandbox.write(settings(sandbox), "{}\n");
    const ran = await Promise.all([1, 2, 3].map(() => sandbox.run(["install", "claude", "codex"])));
    expect(ran.map(({ code }) => code)).toEqual([0, 0, 0]);
    const { hooks } = JSON.parse(sandbox.read(settings(sandbox)));
    for (const list of Object.values<unknown[]>(hooks)) expect(list).toHaveLength(1);
    await sandbox.run(["uninstall"]);
    expect(sandbox.read(settings(sandbox))).toBe("{}\n");
  });

  test("a folder whose name has spaces, quotes, line ends and other letters works", async () => {
    const sandbox = new CommandSandbox();
    const home = join(sandbox.root, `it's "my" höme\n $(touch x)`);
    renameSync(sandbox.home, home);
    const env = { HOME: home };
    sandbox.write(
      join(home, ".config", "agents", "hooks", "guard", "HOOK.md"),
      "---\nname: guard\ndescription: d\ntrigger: before_tool\naction: block\nreason: no\n---\n",
    );
    expect(await sandbox.run(["install", ...ALL], { env })).toMatchObject({ code: 0 });
    const { hooks } = JSON.parse(sandbox.read(join(home, ".claude", "settings.json")));
    const command = hooks.PreToolUse[0].hooks[0].command;
    expect(await asClient(sandbox, command, bash(sandbox, "ls"), env)).toMatchObject({
      code: 2,
      stderr: "no\n",
    });
    expect(existsSync(join(sandbox.project, "x"))).toBe(false);
    expect(await sandbox.run(["install", ...ALL], { env })).toMatchObject({ code: 0 });
    expect(await sandbox.run(["uninstall"], { env })).toMatchObject({ code: 0 });
    expect(existsSync(join(home, ".claude"))).toBe(false);
    expect(existsSync(join(home, ".kimi-code"))).toBe(false);
  });

  test("a home folder that is a symbolic link works", async () => {
    const sandbox = new CommandSandbox();
    const link = join(sandbox.root, "link");
    symlinkSync(sandbox.home, link);
    sandbox.write(settings(sandbox), "{}\n");
    expect(await sandbox.run(["install", "claude", "codex"], { env: { HOME: link } })).toMatchObject({
      code: 0,
    });
    const config = sandbox.read(join(sandbox.home, ".codex", "config.toml"));
    expect(config).toContain(`${link}/.codex/hooks.json:pre_tool_use:0:0`);
    expect(config).toContain(`${sandbox.home}/.codex/hooks.json:pre_tool_use:0:0`);
    await sandbox.run(["uninstall"], { env: { HOME: link } });
    expect(sandbox.read(settings(sandbox))).toBe("{}\n");
  });

  test("another version over the first changes neither the clients' files nor what is given back", async () => {
    const sandbox = new CommandSandbox();
    sandbox.write(settings(sandbox), "{}\n");
    await sandbox.run(["install"]);
    const first = sandbox.read(settings(sandbox));
    const folder = join(sandbox.home, ".local", "share", "tenterhook-bridge");
    const bundle = readdirSync(folder).find((name) => name.startsWith("0.")) ?? "";
    // As a version of another content would be.
    renameSync(join(folder, bundle), join(folder, "0.0.1-aaaaaaaaaaaa"));
    expect(await sandbox.run(["install"])).toMatchObject({ code: 0 });
    expect(readdirSync(folder)).toContain(bundle);
    expect(sandbox.read(hookOf(sandbox))).toContain(bundle);
    expect(sandbox.read(settings(sandbox))).toBe(first);
    await sandbox.run(["uninstall"]);
    expect(sandbox.read(settings(sandbox))).toBe("{}\n");
  });

  test("a bundle that is damaged is replaced", async () => {
    const sandbox = new CommandSandbox();
    guard(sandbox);
    await sandbox.run(["install", "claude"]);
    const folder = join(sandbox.home, ".local", "share", "tenterhook-bridge");
    const bundle = join(folder, readdirSync(folder).find((name) => name.startsWith("0.")) ?? "");
    rmSync(join(bundle, "answer-by-hooks.js"));
    await sandbox.run(["install", "claude"]);
    expect(existsSync(join(bundle, "answer-by-hooks.js"))).toBe(true);
  });

  test.each([
    ["CLAUDECODE", "1"],
    ["CODEX_THREAD_ID", "t"],
    ["GEMINI_CLI", "1"],
    ["QWEN_CODE", "1"],
    ["COPILOT_CLI", "1"],
    ["FACTORY_PROJECT_DIR", "/p"],
    ["CLINE_CONNECTOR_CLI_LAUNCH", "1"],
    ["OPENCODE", "1"],
    ["TENTERHOOK_EVENT", "before_tool"],
  ])("refuses inside an agent, which %s shows", async (name, value) => {
    const sandbox = new CommandSandbox();
    sandbox.write(settings(sandbox), "{}\n");
    for (const command of ["install", "uninstall"]) {
      const { code, stderr } = await sandbox.run([command, "claude"], { env: { [name]: value } });
      expect([code, stderr]).toEqual([1, expect.stringContaining("REFUSED")]);
    }
    expect(sandbox.read(settings(sandbox))).toBe("{}\n");
  });

  test("refuses inside an agent that leaves no mark, because it is above in the tree of processes", async () => {
    const sandbox = new CommandSandbox();
    const program = sandbox.write(
      join(sandbox.root, "bin", "kimi"),
      `#!/bin/sh\n'${process.execPath}' '${BIN}' install claude; echo "ended $?"\n`,
      0o755,
    );
    const child = spawn(program, [], { cwd: sandbox.project, env: sandbox.env() });
    child.stdin.end();
    const { stdout, stderr } = await ended(child);
    expect([stdout, stderr]).toEqual(["ended 1\n", expect.stringContaining("REFUSED")]);
  });
});

describe("install --project", () => {
  test("for a project, says of an agent that must trust the folder that nothing is enforced before", async () => {
    const sandbox = new CommandSandbox();
    const { stdout } = await sandbox.run(["install", "--project", "copilot", "qwen"]);
    expect(stdout).toContain("have no effect until Copilot trusts the folder");
    expect(stdout).toContain("No hook is enforced in GitHub Copilot CLI before it trusts this folder.");
    expect(stdout).toContain("Hooks will be enforced in Qwen Code.");
    const doctor = await sandbox.run(["doctor"]);
    expect(doctor.stdout).toContain("until Copilot trusts the folder");
    const user = await sandbox.run(["install", "copilot"]);
    expect(user.stdout).not.toContain("trusts");
  });

  test("for a project, says that git does not ignore the agent's local file", async () => {
    const sandbox = new CommandSandbox();
    const { stdout } = await sandbox.run(["install", "--project", "claude"]);
    expect(stdout).toMatch(/git does not ignore \S+settings\.local\.json by itself/);
  });

  test("uses the local file where a client has one, and a shared one with a message for teammates where it has none", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("guard", { scope: "user", fields: ["action: block", "reason: no"] });
    const ran = await sandbox.run(["install", "--project", "claude", "qwen", "opencode", "cline"]);
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stdout).toContain(".claude/settings.local.json is made");
    expect(ran.stdout).toContain("a teammate without Tenterhook gets a message how to install it");
    const local = JSON.parse(sandbox.read(join(sandbox.project, ".claude", "settings.local.json")));
    expect(local.hooks.PreToolUse[0].hooks[0].command).toContain(`${hookOf(sandbox)} --client claude`);
    const shared = JSON.parse(sandbox.read(join(sandbox.project, ".qwen", "settings.json")));
    const { command } = shared.hooks.PreToolUse[0].hooks[0];
    expect(command).not.toContain(sandbox.home);
    const payload = { ...bash(sandbox, "ls"), tool_name: "run_shell_command" };
    expect(await asClient(sandbox, command, payload)).toMatchObject({ code: 2, stderr: "no\n" });
    const teammate = await asClient(sandbox, command, payload, { HOME: join(sandbox.root, "teammate") });
    expect(teammate).toMatchObject({
      code: 0,
      stdout: "",
      stderr: expect.stringContaining("npx tenterhook install"),
    });
    const elsewhere = join(sandbox.root, "elsewhere");
    cpSync(join(sandbox.home, ".local", "share"), elsewhere, { recursive: true });
    const another = { HOME: join(sandbox.root, "teammate"), XDG_DATA_HOME: elsewhere };
    expect(await asClient(sandbox, command, payload, another)).toMatchObject({ code: 2, stderr: "no\n" });
    expect(await sandbox.run(["uninstall"])).toMatchObject({ code: 0 });
    expect(readdirSync(sandbox.project).filter((name) => name !== ".agents")).toEqual([]);
  });

  test("of two projects and the user, uninstall in one project leaves the others' entries, and Codex's trust in them", async () => {
    const sandbox = new CommandSandbox();
    const config = join(sandbox.home, ".codex", "config.toml");
    const original = 'model = "x"\n';
    sandbox.write(config, original);
    const other = join(sandbox.root, "other");
    for (const folder of [sandbox.project, other]) mkdirSync(join(folder, ".git"), { recursive: true });
    await sandbox.run(["install", "codex"]);
    const { stdout } = await sandbox.run(["install", "codex", "--project"]);
    expect(stdout).toContain(`The project is ${sandbox.project}.`);
    await sandbox.run(["install", "codex", "--project"], { cwd: other });
    const gone = await sandbox.run(["uninstall", "--project"]);
    expect(gone.stdout).not.toContain("other");
    expect(existsSync(join(sandbox.projectHooks, "..", "..", ".codex"))).toBe(false);
    expect(sandbox.read(config)).not.toContain(sandbox.project);
    for (const cwd of [sandbox.project, other])
      expect(await sandbox.run(["doctor", "codex"], { cwd })).toMatchObject({ code: 0 });
    await sandbox.run(["uninstall"], { cwd: other });
    expect(sandbox.read(config)).toBe(original);
    expect(existsSync(hookOf(sandbox))).toBe(false);
  });

  test("in the home itself it is not taken for the user's", async () => {
    const sandbox = new CommandSandbox();
    const { stdout } = await sandbox.run(["install", "codex", "--project"], { cwd: sandbox.home });
    expect(stdout).toContain(`The project is ${sandbox.home}.`);
    expect(await sandbox.run(["doctor"], { cwd: sandbox.home })).toMatchObject({ code: 0 });
    await sandbox.run(["uninstall"], { cwd: sandbox.home });
    expect(existsSync(join(sandbox.home, ".codex"))).toBe(false);
  });

  test("a client without a project's configuration is reported", async () => {
    const { code, stdout } = await new CommandSandbox().run(["install", "--project", "kimi"]);
    expect([code, stdout]).toEqual([1, expect.stringContaining("no configuration for a project")]);
  });
});

describe("the installed command", () => {
  /** What a project can set in some clients, and what would disarm a guard. */
  const HOSTILE: Readonly<Record<string, string>> = {
    NODE_OPTIONS: "--require=/nonexistent.js",
    NODE_ICU_DATA: "/nonexistent",
    LANG: "missing/data",
    LC_ALL: "x".repeat(300),
    HOME: "/nonexistent",
    XDG_CONFIG_HOME: "/nonexistent",
    XDG_STATE_HOME: "/nonexistent",
    XDG_CACHE_HOME: "/nonexistent",
    PATH: "/nonexistent",
    LD_LIBRARY_PATH: "/nonexistent",
    NODE_PATH: "/nonexistent",
    BASH_ENV: "/nonexistent",
    ENV: "/nonexistent",
    OPENSSL_CONF: "/nonexistent",
    NODE_EXTRA_CA_CERTS: "/nonexistent",
    SHELLOPTS: "noexec",
    IFS: "/",
    TZ: "x",
    NODE_DEBUG: "fs",
    NODE_V8_COVERAGE: "/nonexistent",
    "BASH_FUNC_exec%%": "() { :; }",
    TENTERHOOK_EVENT: "before_tool",
  };

  test("is enforced with any environment, one variable at a time and all of them", async () => {
    const sandbox = new CommandSandbox();
    guard(sandbox);
    await sandbox.run(["install", "claude"]);
    const command = claudeCommand(sandbox);
    const cases = [...Object.entries(HOSTILE).map(([name, value]) => ({ [name]: value })), HOSTILE];
    const ran: [string, number | null, string][] = [];
    for (const env of cases) {
      const { code, stderr } = await asClient(sandbox, command, bash(sandbox, "rm x"), env);
      ran.push([Object.keys(env).join(), code, stderr]);
    }
    expect(ran).toEqual(cases.map((env) => [Object.keys(env).join(), 2, "not here\n"]));
  });

  test("is enforced with a script of Node that the project's PATH and NODE_OPTIONS would replace", async () => {
    const sandbox = new CommandSandbox();
    const folder = sandbox.hook("js", { scope: "user", fields: ["on_error: block"] });
    sandbox.write(join(folder, "scripts", "run.js"), "console.error('checked'); process.exit(2);\n", 0o755);
    const evil = join(sandbox.root, "evil");
    for (const name of ["node", "sh", "bash", "env"])
      sandbox.write(join(evil, name), "#!/bin/sh\nexit 0\n", 0o755);
    sandbox.write(join(evil, "load.js"), "process.exit(0)\n");
    await sandbox.run(["install", "claude"]);
    const env = { PATH: evil, NODE_OPTIONS: `--require=${join(evil, "load.js")}` };
    const ran = await asClient(sandbox, claudeCommand(sandbox), bash(sandbox, "ls"), env);
    expect(ran).toMatchObject({ code: 2, stderr: "checked\n" });
  });

  test.each(["node", "bundle"])(
    "refuses in the client's format when the %s is missing, where a guard has on_error: block",
    async (what) => {
      const sandbox = new CommandSandbox();
      guard(sandbox);
      const node = sandbox.write(join(sandbox.root, "node"), "");
      rmSync(node);
      symlinkSync(process.execPath, node);
      await ended(
        spawn(node, ["--preserve-symlinks-main", BIN, "install", "claude", "copilot", "codex"], {
          cwd: sandbox.project,
          env: sandbox.env(),
        }),
      );
      const hook = hookOf(sandbox);
      const broken = sandbox
        .read(hook)
        .replace(
          what === "node" ? /^node=.*$/m : /^bridge=.*$/m,
          `${what === "node" ? "node" : "bridge"}=/gone`,
        );
      writeFileSync(hook, broken);
      chmodSync(hook, 0o755);
      const ran = await asClient(sandbox, claudeCommand(sandbox), bash(sandbox, "ls"));
      expect(ran.code).toBe(2);
      expect(JSON.parse(ran.stdout).hookSpecificOutput.permissionDecision).toBe("deny");
      expect(ran.stderr).toMatch(/gone from \/gone; run: npx tenterhook install\n.*\(guard\)\n/);
      const after = await asClient(sandbox, claudeCommand(sandbox, "PostToolUse"), {});
      expect(after.code).toBe(0);
      expect(JSON.parse(after.stdout)).toEqual({
        systemMessage: expect.stringContaining("without being checked"),
      });
      const copilot = JSON.parse(sandbox.read(join(sandbox.home, ".copilot", "hooks", "tenterhook.json")));
      const its = await asClient(sandbox, copilot.hooks.PreToolUse[0].bash, {});
      expect(JSON.parse(its.stdout)).toMatchObject({ permissionDecision: "deny" });
    },
  );

  test("lets calls pass with a message when it is missing and no guard has on_error: block, and knows guards that were added later", async () => {
    const sandbox = new CommandSandbox();
    await sandbox.run(["install", "claude"]);
    const command = claudeCommand(sandbox);
    const hook = sandbox.read(hookOf(sandbox));
    const gone = hook.replace(/^bridge=.*$/m, "bridge=/gone");
    sandbox.write(hookOf(sandbox), gone, 0o755);
    const passed = await asClient(sandbox, command, bash(sandbox, "rm"));
    expect(passed.code).toBe(0);
    expect(JSON.parse(passed.stdout)).toEqual({
      systemMessage: expect.stringContaining("without being checked"),
    });
    sandbox.write(hookOf(sandbox), hook, 0o755);
    guard(sandbox);
    await asClient(sandbox, command, bash(sandbox, "ls"));
    sandbox.write(hookOf(sandbox), gone, 0o755);
    expect(await asClient(sandbox, command, bash(sandbox, "rm"))).toMatchObject({ code: 2 });
  });

  test.each(["gone", "a pipe"])(
    "refuses when it is gone and the list of guards is %s, because any guard may be there",
    async (kind) => {
      const sandbox = new CommandSandbox();
      await sandbox.run(["install", "claude"]);
      const command = claudeCommand(sandbox);
      const hook = sandbox.read(hookOf(sandbox)).replace(/^bridge=.*$/m, "bridge=/gone");
      sandbox.write(hookOf(sandbox), hook, 0o755);
      const guards = join(sandbox.home, ".local", "state", "tenterhook", "bridge", "guards");
      rmSync(guards);
      if (kind === "a pipe") execFileSync("mkfifo", [guards]);
      const ran = await asClient(sandbox, command, bash(sandbox, "ls"));
      expect(ran).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("the list of guards is gone too"),
      });
      expect(JSON.parse(ran.stdout).hookSpecificOutput.permissionDecision).toBe("deny");
      expect(await asClient(sandbox, claudeCommand(sandbox, "Stop"), {})).toMatchObject({ code: 0 });
    },
  );

  test("a guard of a project counts there, and in no other folder, when the bridge is gone", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("guard", { fields: ["on_error: block"], script: "exit 2" });
    await sandbox.onTerminal(["trust"], ["y"]);
    await sandbox.run(["install", "claude"]);
    const command = claudeCommand(sandbox);
    sandbox.write(
      hookOf(sandbox),
      sandbox.read(hookOf(sandbox)).replace(/^bridge=.*$/m, "bridge=/gone"),
      0o755,
    );
    expect(await asClient(sandbox, command, {})).toMatchObject({ code: 2 });
    const elsewhere = spawn("/bin/sh", ["-c", command], { cwd: sandbox.home, env: sandbox.env() });
    elsewhere.stdin.on("error", () => undefined);
    elsewhere.stdin.end("{}");
    expect(await ended(elsewhere)).toMatchObject({ code: 0 });
  });

  test("a bundle of which a part is missing refuses as well", async () => {
    const sandbox = new CommandSandbox();
    guard(sandbox);
    await sandbox.run(["install", "claude"]);
    const command = claudeCommand(sandbox);
    const folder = join(sandbox.home, ".local", "share", "tenterhook-bridge");
    const bundle = join(folder, readdirSync(folder).find((name) => name.startsWith("0.")) ?? "");
    for (const name of readdirSync(bundle))
      if (/^(?:answer-by-hooks|answer-broken|claude)\.js$/.test(name)) rmSync(join(bundle, name));
    const ran = await asClient(sandbox, command, bash(sandbox, "rm x"));
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("npx tenterhook install") });
  });
});

describe("entries that were removed", () => {
  test("are reported by the next call that can, once a session, and logged; other changes of the file are not", async () => {
    const sandbox = new CommandSandbox();
    await sandbox.run(["install", "claude"]);
    const post = claudeCommand(sandbox, "PostToolUse");
    const payload = { ...bash(sandbox, "ls"), hook_event_name: "PostToolUse", tool_response: {} };
    const json = JSON.parse(sandbox.read(settings(sandbox)));
    sandbox.write(settings(sandbox), JSON.stringify({ ...json, permissions: { allow: ["Bash"] } }));
    expect(await asClient(sandbox, post, payload)).toEqual({ code: 0, stdout: "", stderr: "" });
    delete json.hooks.PreToolUse;
    sandbox.write(settings(sandbox), JSON.stringify(json, undefined, 1));
    const reported = await asClient(sandbox, post, payload);
    expect(JSON.parse(reported.stdout).systemMessage).toContain(
      "no longer contains the entries for PreToolUse",
    );
    expect(await asClient(sandbox, post, payload)).toMatchObject({ stdout: "" });
    expect((await sandbox.run(["log"])).stdout).toContain("no longer contains the entries for PreToolUse");
    await sandbox.run(["install", "claude"]);
    expect(await asClient(sandbox, post, { ...payload, session_id: "s2" })).toMatchObject({ stdout: "" });
  });
});
