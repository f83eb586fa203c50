import { existsSync, readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CommandSandbox } from "../testing/command-sandbox.ts";

const ALL = ["claude", "codex", "gemini", "qwen", "copilot", "kimi", "droid", "cline", "opencode"];

interface Step {
  readonly title: string;
  readonly findings: readonly { readonly problem: string; readonly fix: string }[];
}

/** The findings of doctor about calls through the clients' commands. */
async function probed(sandbox: CommandSandbox, ...clients: string[]) {
  const { code, stdout } = await sandbox.run(["doctor", "--json", ...clients], {
    env: { PATH: "/usr/bin:/bin" },
  });
  const { steps } = JSON.parse(stdout) as { steps: readonly Step[] };
  const sent = steps.filter(({ title }) => title.endsWith("a call that a script refuses"));
  return { code, sent, problems: sent.flatMap(({ findings }) => findings.map(({ problem }) => problem)) };
}

const state = (sandbox: CommandSandbox) => join(sandbox.home, ".local", "state", "tenterhook");
const scripts = (sandbox: CommandSandbox) =>
  `${state(sandbox)}/bridge/probes/*/config/agents/hooks/*/scripts/run.sh`;

/** Makes the installed hook start another program in place of node. `$REAL` is node. */
async function withNode(sandbox: CommandSandbox, script: string, clients: readonly string[]): Promise<void> {
  await sandbox.run(["install", ...clients]);
  const node = sandbox.write(
    join(sandbox.root, "node"),
    `#!/bin/sh\nREAL='${process.execPath}'\n${script}\n`,
    0o755,
  );
  const hook = join(sandbox.home, ".local", "share", "tenterhook-bridge", "hook");
  sandbox.write(hook, sandbox.read(hook).replace(/^node=.*$/m, `node=${node}`), 0o755);
}

test("a script refuses a call in every client's own format, for the user and for a project", async () => {
  const sandbox = new CommandSandbox();
  await sandbox.run(["install", ...ALL]);
  await sandbox.run(["install", "--project", ...ALL.filter((id) => id !== "kimi")]);
  const { problems, sent, code } = await probed(sandbox);
  expect(problems).toEqual([]);
  expect(sent).toHaveLength(ALL.length + ALL.length - 1);
  expect(code).toBe(0);
});

test("no hook of the user or of a project is run, and nothing is left in log, sessions and hooks", async () => {
  const sandbox = new CommandSandbox();
  const ran = join(sandbox.root, "ran");
  sandbox.hook("mine", { scope: "user", script: `touch ${ran}; exit 2` });
  sandbox.hook("theirs", { script: `touch ${ran}; exit 2` });
  // A hooks folder above the state folder makes the home a project.
  sandbox.write(join(sandbox.home, ".agents", "hooks", "above", "HOOK.md"), "---\nname: above\n---\n");
  await sandbox.run(["install", "claude", "opencode"]);
  const bridge = () => readdirSync(join(state(sandbox), "bridge")).sort();
  await probed(sandbox);
  const before = bridge();
  expect((await probed(sandbox)).problems).toEqual([]);
  expect(existsSync(ran)).toBe(false);
  expect(existsSync(sandbox.auditFile)).toBe(false);
  expect(readdirSync(join(state(sandbox), "bridge", "sessions"))).toEqual([]);
  expect(bridge()).toEqual(before);
  expect(before).not.toContain("probes");
  expect(readdirSync(sandbox.userHooks).sort()).toEqual(["mine"]);
});

test("a node that is aborted when it starts a script is reported for every client", async () => {
  const sandbox = new CommandSandbox();
  await withNode(sandbox, "kill -ABRT $$", ALL);
  const { problems, code } = await probed(sandbox);
  expect(problems).toHaveLength(ALL.length);
  expect(code).toBe(1);
});

test("a refusal by the fallback is told apart from one by the script", async () => {
  const sandbox = new CommandSandbox();
  sandbox.hook("guard", { scope: "user", fields: ["on_error: block"], script: "exit 0" });
  await withNode(sandbox, "exit 1", ["claude"]);
  const hook = join(sandbox.home, ".local", "share", "tenterhook-bridge", "hook");
  sandbox.write(hook, sandbox.read(hook).replace(/^node=.*$/m, "node=/gone/node"), 0o755);
  expect((await probed(sandbox)).problems).toEqual([
    expect.stringMatching(/^the bridge does not run, so guards refuse everything.*node is gone/),
  ]);
});

test("an answer that is missing, and one with another exit code, are reported", async () => {
  const sandbox = new CommandSandbox();
  await sandbox.run(["install", "claude", "gemini"]);
  const settings = join(sandbox.home, ".claude", "settings.json");
  const gemini = join(sandbox.home, ".gemini", "settings.json");
  const [text, other] = [sandbox.read(settings), sandbox.read(gemini)];
  sandbox.write(settings, text.replace(/--event PreToolUse --timeout 600/, "$&; exit 0"));
  sandbox.write(
    gemini,
    other.replace(/--event BeforeTool --timeout 600/, "$& >/dev/null 2>/dev/null; exit 0"),
  );
  expect((await probed(sandbox)).problems).toEqual([
    "a script refused a call, but Claude Code does not read it as a refusal: the exit code is 0 instead of 2",
    "a call that a hook refuses is let through: exit code 0 and no answer",
  ]);
});

test("an answer in another format is reported", async () => {
  const sandbox = new CommandSandbox();
  await sandbox.run(["install", "kimi", "copilot"]);
  const file = join(sandbox.home, ".copilot", "hooks", "tenterhook.json");
  sandbox.write(
    file,
    sandbox.read(file).replace(/--event PreToolUse --timeout 600 --entry user/, "$& | sed s/deny/allow/g"),
  );
  expect((await probed(sandbox)).problems).toEqual([
    expect.stringContaining("a script refused a call, but GitHub Copilot CLI does not read it as a refusal"),
  ]);
});

test("a script that cannot be started, or does not get its input, is reported with the reason", async () => {
  const sandbox = new CommandSandbox();
  await withNode(
    sandbox,
    `for f in ${scripts(sandbox)}; do printf '#!/gone/sh\\n' >"$f"; done; exec "$REAL" "$@"`,
    ["claude"],
  );
  expect((await probed(sandbox)).problems).toEqual([
    expect.stringMatching(/^the bridge runs, but the script of a hook does not: .*\/gone\/sh/),
  ]);
  await withNode(
    sandbox,
    `for f in ${scripts(sandbox)}; do sed -i 's/case "$line" in .*doctor/case "$line" in *x-never/' "$f"; done; exec "$REAL" "$@"`,
    ["claude"],
  );
  expect((await probed(sandbox)).problems).toEqual([
    expect.stringContaining("the bridge runs, but the script of a hook does not"),
  ]);
});

test("a call of doctor is refused even if its hook lets it pass", async () => {
  const sandbox = new CommandSandbox();
  await withNode(
    sandbox,
    `for f in ${scripts(sandbox)}; do printf '#!/bin/sh\\nexit 0\\n' >"$f"; done; exec "$REAL" "$@"`,
    ["claude"],
  );
  expect((await probed(sandbox)).problems).toEqual([
    expect.stringMatching(
      /^a call that a hook refuses is not refused: exit code 2: .*did not refuse this call/,
    ),
  ]);
});

test("clients that do not answer take the time of one", async () => {
  const sandbox = new CommandSandbox();
  await withNode(sandbox, "exec sleep 600", ["claude", "codex", "gemini", "opencode"]);
  const begun = performance.now();
  const { problems } = await probed(sandbox);
  expect(performance.now() - begun).toBeLessThan(3 * 20_000);
  expect(problems).toEqual(Array(4).fill(expect.stringContaining("no answer came within 20 s")));
});

test("what a killed doctor has left behind is used by no later call, and removed", async () => {
  const sandbox = new CommandSandbox();
  await sandbox.run(["install", "claude"]);
  const folder = join(state(sandbox), "bridge", "probes", `tenterhook-doctor-${"a".repeat(32)}`);
  const call = JSON.stringify({ session_id: `tenterhook-doctor-${"a".repeat(32)}`, tool_name: "Read" });
  sandbox.write(join(folder, "config", "agents", "hooks", "old", "HOOK.md"), "---\nname: old\n---\n");
  const send = () => sandbox.run(["bridge", "--client", "claude", "--event", "PreToolUse"], { input: call });
  expect(await send()).toMatchObject({ code: 2 });
  utimesSync(folder, 1_000, 1_000);
  expect(await send()).toMatchObject({ code: 0, stdout: "" });
  expect((await probed(sandbox)).problems).toEqual([]);
  expect(existsSync(folder)).toBe(false);
});
