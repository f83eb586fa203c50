import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Ended, type NodeSandbox, ROOT } from "../node-sandbox.ts";

const REASON = "no deletions on a Monday";
/** Reads its whole input and refuses by exit code, as most guards do. */
const GUARD = `#!/bin/sh
input=$(cat)
case "$input" in *"rm -rf"*) echo "${REASON}" >&2; exit 2 ;; esac
`;
const HOOK = `---
name: no-deletions
description: Refuses deletions
trigger: before_tool
matcher:
  tool: Shell
on_error: block
---
`;

/**
 * Installs for Claude Code with this version of Node, and starts what its settings name as it does: by a shell, with the payload on
 * standard input. The Node on the PATH is another one: the installed command has to start the one that it was installed with.
 */
export async function checkBridge(sandbox: NodeSandbox): Promise<undefined> {
  writeGuard(sandbox);
  mkdirSync(join(sandbox.home, ".claude"));
  await sandbox.command(["install", "claude", "--yes"]);
  const { PreToolUse: command, PostToolUse: after } = installedCommands(sandbox);

  const refused = await call(sandbox, command, "PreToolUse.Bash", "rm -rf build");
  const verdict = readVerdict(refused);
  assert.equal(verdict?.permissionDecision, "deny", describe(refused));
  assert.match(verdict?.permissionDecisionReason ?? "", new RegExp(REASON));

  const passed = await call(sandbox, command, "PreToolUse.Bash", "ls");
  assert.equal(passed.code, 0, describe(passed));
  assert.notEqual(readVerdict(passed)?.permissionDecision, "deny", describe(passed));

  const reported = await call(sandbox, after, "PostToolUse.Bash", "ls");
  assert.equal(reported.code, 0, describe(reported));
  for (const { stderr } of [refused, passed, reported])
    assert.doesNotMatch(stderr, /Warning|Assertion|Error/);
}

function writeGuard({ home }: NodeSandbox): void {
  const folder = join(home, ".config", "agents", "hooks", "no-deletions");
  mkdirSync(join(folder, "scripts"), { recursive: true });
  writeFileSync(join(folder, "HOOK.md"), HOOK);
  writeFileSync(join(folder, "scripts", "run.sh"), GUARD, { mode: 0o755 });
}

interface Settings {
  readonly hooks: Readonly<
    Record<string, readonly { readonly hooks: readonly { readonly command: string }[] }[]>
  >;
}

/** The command of each event, from the settings. */
function installedCommands({ home }: NodeSandbox): Readonly<Record<string, string | undefined>> {
  const { hooks } = JSON.parse(readFileSync(join(home, ".claude", "settings.json"), "utf8")) as Settings;
  return Object.fromEntries(
    Object.entries(hooks).map(([event, groups]) => [event, groups[0]?.hooks[0]?.command]),
  );
}

function call(
  sandbox: NodeSandbox,
  command: string | undefined,
  fixture: string,
  shell: string,
): Promise<Ended> {
  assert.ok(command !== undefined, "the settings of Claude Code have no command for the event");
  const path = join(ROOT, "packages", "bridges", "fixtures", "claude", `${fixture}.json`);
  const { stdin } = JSON.parse(readFileSync(path, "utf8")) as Fixture;
  const sent = { ...stdin, cwd: sandbox.project, tool_input: { ...stdin.tool_input, command: shell } };
  return sandbox.run("/bin/sh", ["-c", command], JSON.stringify(sent));
}

/** What the real client was recorded to send. */
interface Fixture {
  readonly stdin: { readonly tool_input: object };
}

interface Verdict {
  readonly permissionDecision?: string;
  readonly permissionDecisionReason?: string;
}

function readVerdict({ stdout }: Ended): Verdict | undefined {
  if (stdout.trim() === "") return undefined;
  return (JSON.parse(stdout) as { readonly hookSpecificOutput?: Verdict }).hookSpecificOutput;
}

function describe({ code, signal, stdout, stderr }: Ended): string {
  return `the installed command ended with ${code ?? signal}:\n${stdout}${stderr}`;
}
