import { join } from "node:path";
import { findLocations } from "@tenterhook/file-hooks";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BridgeSandbox } from "../../testing/bridge-sandbox.ts";
import { readPlan } from "./plan-file.ts";

// A minute after the hooks were written: a plan is not stored in the moment of a change.
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 }));
afterEach(() => void vi.useRealTimers());

const BASH = "claude/PreToolUse.Bash";
const NOTHING = { stdout: "", stderr: "", exit: 0 };
const rule = (matcher: string, action = "block") => ({
  fields: [`matcher: ${matcher}`, `action: ${action}`, "reason: Too much"],
});
let calls = 0;

/** What the bridge answers to a command; its refusal as text. */
async function run(sandbox: BridgeSandbox, command: string, client = BASH): Promise<string> {
  const answer = await sandbox.send(client, { tool_use_id: `call ${++calls}`, tool_input: { command } });
  if (answer.exit !== 0) return `refused: ${answer.stderr.trim()}`;
  const asked = /"permissionDecisionReason":"(.*?)"/.exec(answer.stdout)?.[1];
  return asked === undefined ? "passed" : `asked: ${asked}`;
}

/** With the plan that earlier calls stored. */
async function planned(sandbox: BridgeSandbox): Promise<BridgeSandbox> {
  for (const command of ["ls", "pwd"]) expect(await run(sandbox, command)).toBe("passed");
  expect(readPlan([findLocations(sandbox.project, { HOME: sandbox.home })])).toBeDefined();
  return sandbox;
}

test("a rule about an effect refuses with and without a stored plan, and lets other commands pass", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("rule", rule("{ effect: delete, path: [root, system] }"));
  const refused = "refused: Too much: it deletes / recursively (sudo rm -fr /)";
  expect(await run(sandbox, "sudo rm -fr /")).toBe(refused);
  await planned(sandbox);
  expect(await run(sandbox, "sudo rm -fr /")).toBe(refused);
  expect(await run(sandbox, "echo 'rm -rf /'")).toBe("passed");
  expect(await run(sandbox, "sudo rm -fr /", "codex/PreToolUse.Bash")).toBe(refused);
});

test("a line that cannot be read is one question for all rules, and refused by a client that cannot ask", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("rule", rule("{ effect: delete, path: root }"));
  sandbox.hook("other", rule("[{ effect: power }, { tool: WriteFile, pattern: never }]", "ask"));
  await planned(sandbox);
  expect(await run(sandbox, "echo $((")).toMatch(
    /^asked: What this call does is not known: it cannot be read/,
  );
  expect(await run(sandbox, "echo $((", "codex/PreToolUse.Bash")).toMatch(
    /^refused: What this call does is not known/,
  );
});

test("rules that say so let a line pass that cannot be read", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("rule", rule("{ effect: delete, unreadable: pass }"));
  await planned(sandbox);
  expect(await run(sandbox, "echo $((")).toBe("passed");
});

test("a file tool of a client is read too, and a tool that is not known is not", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("rule", rule("{ effect: write, path: system }"));
  await planned(sandbox);
  const write = (tool_name: string, file_path: string) =>
    sandbox.send(BASH, { tool_use_id: `${++calls}`, tool_name, tool_input: { file_path, content: "x" } });
  expect(await write("Write", "/etc/hosts")).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining("it writes /etc/hosts"),
  });
  expect(await write("Write", join(sandbox.project, "hosts"))).toMatchObject({ exit: 0 });
  expect(await write("mcp__box__write", "/etc/hosts")).toEqual(NOTHING);
});

test("a path that hooks.toml adds passes from the next call on", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("rule", rule("{ effect: delete.recursive, path: outside-project }"));
  await planned(sandbox);
  expect(await run(sandbox, "rm -rf /srv/data")).toMatch(/^refused/);
  sandbox.write(join(sandbox.userHooks, "hooks.toml"), '[hooks.rule]\nnot_path = "/srv/data"\n');
  expect(await run(sandbox, "rm -rf /srv/data")).toBe("passed");
  expect(await run(sandbox, "rm -rf /srv/other")).toMatch(/^refused/);
});

test("a guard of an effect without a tool guards the shell: a client that does not show what is typed may start none", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("rule", rule("{ effect: send.secret }"));
  await planned(sandbox);
  expect(await run(sandbox, "bash", "codex/PreToolUse.Bash")).toMatch(/^refused: this starts bash/);
  const other = new BridgeSandbox();
  other.hook("rule", rule("[{ tool: ^WriteFile$, effect: write }, { tool: ^EditFile$ }]"));
  await planned(other);
  expect(await run(other, "bash", "codex/PreToolUse.Bash")).toBe("passed");
});

test("only the person reads what to write so that the rule lets the path pass", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("rule", rule("{ effect: delete.recursive, path: outside-project }"));
  sandbox.hook("other", rule("{ effect: power }"));
  const toml = join(sandbox.userHooks, "hooks.toml");
  // Claude Code shows a person nothing beside a refusal, so it comes with the next answer.
  const refusedThen = async (command: string) => {
    expect(await run(sandbox, command)).not.toMatch(/hooks\.toml|passed/);
    const { stdout } = await sandbox.send(BASH, { tool_use_id: `${++calls}`, tool_input: { command: "ls" } });
    return stdout === "" ? "" : JSON.parse(stdout).systemMessage;
  };
  expect(await refusedThen("rm -rf /srv/data")).toBe(
    `tenterhook: to let rule pass this path from now on, write not_path = ["/srv/data"] under [hooks.rule] in ${toml}`,
  );
  // An exception for a home would be one for all in it.
  expect(await refusedThen("rm -rf /home/ana")).toContain('write action = "ask" under [hooks.rule]');
  expect(await refusedThen("reboot")).toContain('write action = "ask" under [hooks.other]');
  expect(await refusedThen("reboot")).toBe("");
  expect(await refusedThen("echo $((")).toBe("");
});
