import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { watch } from "node:fs/promises";
import { join } from "node:path";
import { isAlive } from "@tenterhook/test-support/is-alive";
import { describe, expect, test } from "vitest";
import { BIN, CommandSandbox } from "../testing/command-sandbox.ts";

const SHELL = ["try", "before_tool", "--tool", "Shell", "--input", '{"command": "rm -rf /"}'];
const DENY = "echo 'too dangerous' >&2; exit 2";

describe("try", () => {
  test.each([
    [["--tool", "Shell", "--input", "rm -rf /"]],
    [["--tool", "Bash", "--input", "rm -rf /"]],
    [["--tool", "run_shell_command", "--input", "rm -rf /"]],
    [["--command", "rm -rf /"]],
    [["before_tool", "--tool", "Bash", "--command", "rm -rf /"]],
    [["--tool", "Shell", "--input", "@plain"]],
    [["--tool", "Shell", "--input", "-"]],
  ])("%j is a call of Shell with a plain command, at before_tool", async (args) => {
    const sandbox = new CommandSandbox();
    sandbox.write(join(sandbox.project, "plain"), "rm -rf /");
    sandbox.hook("guard", { fields: ["matcher:", "  tool: ^Shell$", "  pattern: rm -rf"], script: DENY });
    const { code, stdout } = await sandbox.run(["try", ...args, "--json"], { input: "rm -rf /" });
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({
      code: 2,
      hook: "guard",
      tool_input: { command: "rm -rf /" },
    });
  });

  test("--command prints what the line does, which rule is about which part, and what to write to let it pass", async () => {
    const sandbox = new CommandSandbox();
    const rule = (effect: string) => [`matcher: { effect: ${effect} }`, "action: block", "reason: Too much"];
    sandbox.hook("deletes", { scope: "user", fields: rule("delete") });
    sandbox.hook("reads", { scope: "user", fields: rule("read") });
    const line = 'cat x; sudo rm -fr /srv/data; echo "rm -rf /"';
    const { code, stdout } = await sandbox.run(["try", "--command", line]);
    expect(code).toBe(2);
    expect(stdout).toMatch(/read +reads .*\/x \(cat x\) +reads\n/);
    expect(stdout).toMatch(
      /delete.recursive +deletes \/srv\/data recursively \(sudo rm -fr \/srv\/data\) +deletes\n/,
    );
    expect(stdout).toContain("blocked by deletes: Too much: it deletes /srv/data recursively");
    expect(stdout).toContain('not_path = ["/srv/data"] under [hooks.deletes]');
    expect(await sandbox.json(["try", "--command", line])).toMatchObject({
      effects: [
        { effect: "read", hooks: ["reads"] },
        { effect: "delete.recursive", elevated: true, hooks: ["deletes"] },
      ],
    });
    expect(await sandbox.json(["try", "--tool", "save", "--input", "{}"])).toMatchObject({ effects: null });
  });

  test("--command takes a text that looks like JSON as it is", async () => {
    const sandbox = new CommandSandbox();
    expect(await sandbox.json(["try", "--command", "{ ls; }"])).toMatchObject({
      tool_input: { command: "{ ls; }" },
    });
  });

  test("ends with 0 when the operation would proceed, and with 2 when it is blocked or stopped", async () => {
    const sandbox = new CommandSandbox();
    expect((await sandbox.run(SHELL)).code).toBe(0);
    sandbox.hook("fine", { script: "exit 0" });
    expect((await sandbox.run(SHELL)).code).toBe(0);
    sandbox.hook("stopper", { script: `echo '{"decision": "stop", "reason": "enough"}'` });
    expect((await sandbox.run(SHELL)).code).toBe(2);
    sandbox.hook("guard", { fields: ["priority: 900"], script: DENY });
    expect((await sandbox.run(SHELL)).code).toBe(2);
  });

  test("shows each answer with its duration, the verdict, and its meaning", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("fine", { fields: ["priority: 900"], script: "exit 0" });
    sandbox.hook("guard", { script: DENY });
    const { stdout } = await sandbox.run(SHELL);
    expect(stdout).toMatch(/^ {2}fine +proceed +[\d.]+ ms\n {2}guard +block +[\d.]+ ms +too dangerous\n/);
    expect(stdout).toContain("blocked by guard: too dangerous\n");
    expect(stdout).toContain("the tool does not run");
  });

  test("--json prints exactly the verdict and the trace", async () => {
    const sandbox = new CommandSandbox();
    const folder = sandbox.hook("guard", { script: DENY });
    expect(await sandbox.json(SHELL)).toEqual({
      outcome: "block",
      reason: "too dangerous",
      hook: "guard",
      tool_input: { command: "rm -rf /" },
      additional_context: null,
      effects: [
        {
          effect: "delete.recursive",
          targets: [{ path: "/", resolved: "/", known: "known" }],
          command: "rm -rf /",
          where: "here",
          elevated: false,
          hooks: [],
        },
      ],
      trace: [
        {
          hook: "guard",
          source: join(folder, "HOOK.md"),
          outcome: "block",
          duration_ms: expect.any(Number),
          mode: "sync",
          action: "refuse",
          reason: "too dangerous",
          body: "# guard",
        },
      ],
      untrusted: [
        {
          hook: "guard",
          source: join(folder, "HOOK.md"),
          effect: "left_out",
          why: "untrusted: review it with: tenterhook trust",
        },
      ],
    });
  });

  test("--json prints null for missing values", async () => {
    expect(await new CommandSandbox().json(["try", "before_stop"])).toEqual({
      outcome: "proceed",
      reason: null,
      hook: null,
      tool_input: null,
      additional_context: null,
      effects: null,
      trace: [],
      untrusted: [],
    });
  });

  test("shows a changed input and added context, and calls earlier guards again", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("guard", { fields: ["priority: 900"], script: "exit 0" });
    sandbox.hook("rewriter", {
      script: `echo '{"modified_input": {"command": "ls"}, "additional_context": "it was rewritten"}'`,
    });
    const result = (await sandbox.json(SHELL)) as { trace: { hook: string; judging?: boolean }[] };
    expect(result).toMatchObject({
      outcome: "proceed",
      tool_input: { command: "ls" },
      additional_context: "it was rewritten",
    });
    expect(result.trace.map(({ hook, judging = false }) => [hook, judging])).toEqual([
      ["guard", false],
      ["rewriter", false],
      ["guard", true],
    ]);
    const { stdout } = await sandbox.run(SHELL);
    expect(stdout).toContain('rewriter changed toolInput to {"command":"ls"}');
    expect(stdout).toContain("for the model: it was rewritten");
  });

  test("waits for background hooks and shows their results", async () => {
    const sandbox = new CommandSandbox();
    const trace = join(sandbox.root, "it-ran");
    sandbox.hook("watcher", { fields: ["async: true"], script: `touch '${trace}'` });
    sandbox.hook("breaker", { fields: ["async: true"], script: "exit 3" });
    const { code, stdout } = await sandbox.run([...SHELL, "--json"]);
    expect(code).toBe(0);
    expect(existsSync(trace)).toBe(true);
    expect(JSON.parse(stdout).trace).toMatchObject([
      {
        hook: "breaker",
        outcome: "failed",
        mode: "background",
        error: "hook_exit",
        duration_ms: expect.any(Number),
      },
      { hook: "watcher", outcome: "proceed", mode: "background", duration_ms: expect.any(Number) },
    ]);
  });

  test("prints failures without effect and output of hooks to standard error", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("breaker", { script: "echo broken >&2; exit 3" });
    sandbox.hook("chatter", { script: "echo just saying" });
    const { code, stderr } = await sandbox.run(SHELL);
    expect(code).toBe(0);
    expect(stderr).toMatch(/hook "breaker" on before_tool: .*exit code 3.*broken/);
    expect(stderr).toContain("chatter: just saying");
  });

  test("shows how to print a tolerated answer correctly", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("clumsy", { script: `echo '[{"permission": "deny"}]'` });
    const { code, stderr } = await sandbox.run(["try", "before_tool", "--tool", "Shell"]);
    expect(stderr).toContain("clumsy: warning: its answer is in an array; print the object alone");
    expect(stderr).toContain(
      `clumsy: warning: "permission" is another client's form; write "decision": "deny"`,
    );
    expect(code).toBe(2);
  });

  test("uses the meaning of a refusal at the event", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("gate", { trigger: "before_stop", script: "echo 'tests fail' >&2; exit 2" });
    sandbox.hook("broken-gate", { trigger: "subagent_stop", fields: ["on_error: block"], script: "exit 9" });
    sandbox.hook("late", { trigger: "session_end", script: "echo 'too late' >&2; exit 2" });
    const [kept, released, recorded] = await Promise.all(
      ["before_stop", "subagent_stop", "session_end"].map((event) => sandbox.run(["try", event])),
    );
    expect(kept).toMatchObject({
      code: 2,
      stdout: expect.stringContaining("it goes on, the reason is its feedback"),
    });
    expect(released).toMatchObject({ code: 0, stdout: expect.stringContaining("it stops, marked") });
    expect(recorded).toMatchObject({ code: 0, stdout: expect.stringContaining("recorded") });
  });

  test("ask is a refusal without an approver", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("asker", { script: `echo '{"decision": "ask", "reason": "sure?"}'` });
    const { code, stdout } = await sandbox.run([...SHELL, "--json"]);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: "block",
      hook: "asker",
      trace: [{ outcome: "ask" }],
    });
  });

  test("accepts an event as scripts receive it, from a file or standard input", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("guard", { fields: ["matcher:", "  pattern: rm -rf"], script: DENY });
    sandbox.hook("gate", {
      trigger: "before_stop",
      script: 'grep -q TODO && { echo "not done" >&2; exit 2; }; exit 0',
    });
    const event = { event_type: "before_tool", tool_name: "Shell", tool_input: { command: "rm -rf /" } };
    const file = sandbox.write(join(sandbox.root, "event.json"), JSON.stringify(event));
    expect((await sandbox.run(["try", "--event", file])).code).toBe(2);
    expect((await sandbox.run(["try", "PreToolUse", "--event", file])).code).toBe(2);
    const stop = {
      event_type: "before_stop",
      stop_reason: "no_tool_calls",
      final_message: { role: "assistant", content: "TODO" },
    };
    const { stdout } = await sandbox.run(["try", "--event", "-"], { input: JSON.stringify(stop) });
    expect(stdout).toContain("blocked by gate: not done");
  });

  test("a script receives the event with its folder as the working directory", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("echo", { script: "cat >&2; pwd >&2; exit 2" });
    const { reason } = (await sandbox.json([...SHELL, "--dir", sandbox.project], { cwd: sandbox.root })) as {
      reason: string;
    };
    expect(reason).toContain('"event_type": "before_tool"');
    expect(reason).toContain(`"work_dir": "${sandbox.project}"`);
    expect(reason).toContain('"command": "rm -rf /"');
    expect(reason.endsWith(sandbox.project)).toBe(true);
  });

  test("writes to the audit trail, and leaves no session behind", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("guard", { script: DENY });
    await sandbox.run(SHELL);
    expect(JSON.parse(sandbox.read(sandbox.auditFile))).toMatchObject({
      event: "before_tool",
      tool_name: "Shell",
      outcome: "block",
      decided_by: "guard",
    });
    expect(readdirSync(join(sandbox.auditFile, "..", "sessions"))).toEqual([]);
  });

  test("works without a writable audit trail, with a notice", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("guard", { fields: ["action: block", "reason: no"] });
    const state = sandbox.write(join(sandbox.root, "a-file"), "");
    const { code, stderr } = await sandbox.run(SHELL, { env: { XDG_STATE_HOME: state } });
    expect(code).toBe(2);
    expect(stderr).toContain("the audit trail could not be written");
  });

  test.each([
    [["try", "--event", "-", "--command", "ls"], "--event contains the whole event."],
    [["try"], "missing event."],
    [["try", "before_tool"], "before_tool needs a tool."],
    [["try", "--event", "missing.json"], "missing.json cannot be read"],
    [["try", "--event", "-", "--tool", "Shell"], "--event contains the whole event."],
    [["try", "--event", "-"], "standard input: invalid JSON"],
    [["try", "on_timeout"], "is an event of a coordinator, so --hook or --agent is missing"],
  ])("%j is a usage error", async (args, message) => {
    const { code, stderr } = await new CommandSandbox().run(args);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
  });

  test.each([
    ["{}", "has no event_type"],
    ['{"event_type": "before_tool", "tool_input": {}}', "not a valid before_tool event: tool_name:"],
    ['{"event_type": "before_stop"', "standard input: invalid JSON"],
  ])("the event %s is a usage error", async (input, message) => {
    const { code, stderr } = await new CommandSandbox().run(["try", "--event", "-"], { input });
    expect(code).toBe(1);
    expect(stderr).toContain(message);
  });

  test("a contradicting event_type is a usage error", async () => {
    const input = '{"event_type": "before_stop"}';
    const { stderr } = await new CommandSandbox().run(["try", "before_tool", "--event", "-"], { input });
    expect(stderr).toContain("event_type is before_stop, not before_tool.");
  });

  test("Ctrl-C ends the hook that is running, and the command", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("sleeper", { script: "echo $$ > pid.new; mv pid.new pid; exec sleep 60" });
    const changes = watch(sandbox.project);
    const child = spawn(process.execPath, [BIN, ...SHELL], {
      cwd: sandbox.project,
      env: sandbox.env(),
      stdio: "ignore",
    });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    for await (const { filename } of changes) if (filename === "pid") break;
    const pid = Number(sandbox.read(join(sandbox.project, "pid")));
    child.kill("SIGINT");
    expect(await ended).toBe(130);
    await expect.poll(() => isAlive(pid)).toBe(false);
  });
});

describe("an event", () => {
  test.each([
    [
      ["on_run_start"],
      "on_run_start is an event of a coordinator, so --hook or --agent is missing.\nName a hook or an agent of it: tenterhook try on_run_start --hook NAME",
    ],
    [["on_run_start", "--hook", "a", "--agent", "b"], "--hook and --agent are mutually exclusive."],
    [["on_run_start", "--hook", "a"], "--input or --run is missing."],
    [
      ["on_run_start", "--hook", "a", "--input", "{}", "--run", "r"],
      "--input and --run are mutually exclusive.",
    ],
    [
      ["on_run_start", "--tool", "Shell"],
      "--tool is for the HOOK.md hooks of this folder, and on_run_start is",
    ],
    [["on_run_start", "--hook", "a", "--dir", "."], "--dir is for the HOOK.md hooks of this folder"],
    [
      ["before_tool", "--tool", "Shell", "--hook", "a"],
      "--hook is for a hook of a coordinator, and before_tool is an",
    ],
    [
      ["PreToolUse", "--agent", "a"],
      "--agent is for a hook of a coordinator, and PreToolUse is an event of the",
    ],
    [["before_tool", "--run", "run_1"], "--run is for a hook of a coordinator"],
    [["before_tool", "--url", "http://127.0.0.1:1"], "--url is for a hook of a coordinator"],
    [
      ["--hook", "audit"],
      "--hook is for a hook of a coordinator, and no event is named.\nName an event of a coordinator (on_run_start,",
    ],
    [["on_run_strat", "--hook", "audit"], 'unknown event "on_run_strat".\nDid you mean on_run_start?'],
    [["on_error", "--hook", "audit"], "on_run_error"],
    [["--type", "on_result", "--hook", "audit"], "The event is the first argument"],
  ])("of the other side names the option that is missing or wrong: %j", async (args, message) => {
    const { code, stdout, stderr } = await new CommandSandbox().run(["try", ...args]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(message);
  });

  test("takes its input from a file or standard input", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("guard", {
      scope: "user",
      fields: ["matcher:", "  pattern: 'rm -rf'", "action: block", "reason: no"],
    });
    sandbox.write(join(sandbox.project, "input.json"), '{"command": "rm -rf /"}');
    const tried = (input: string) =>
      sandbox.run(["try", "before_tool", "--tool", "Shell", "--input", input], {
        input: '{"command": "rm -rf /"}',
      });
    expect((await tried("@input.json")).code).toBe(2);
    expect((await tried("-")).code).toBe(2);
    expect((await tried('{"command": "ls"}')).code).toBe(0);
  });
});
