import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { agentFile } from "../testing/agent-file.ts";
import { BIN, CommandSandbox } from "../testing/command-sandbox.ts";

const shell = (command: string) => ({ toolCalls: [{ name: "Shell", input: { command } }] });
const DENY_RM = {
  fields: ["matcher:", "  pattern: 'rm -rf'", "action: block", "reason: this destroys data"],
};

describe("the output of a run", () => {
  test("is the final answer on standard output, and progress on standard error", async () => {
    const sandbox = new CommandSandbox();
    const script = [{ text: "I look around.", ...shell("echo here") }, "All is\nwell.\n"];
    const file = agentFile(sandbox, { script, tools: ["Shell"] });
    const { code, stdout, stderr } = await sandbox.run(["run", file, "Look!"]);
    expect(stdout).toBe("All is\nwell.\n");
    expect(stderr).toMatch(
      /^step 1\n {2}I look around\.\n {2}→ Shell echo here\n {2}✓ Shell echo here {2}\S+ ms\nstep 2\ncompleted \(2 steps, .*\)\n$/,
    );
    expect(code).toBe(0);
  });

  test("shows each act of a hook once, with its reason", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("guard", { scope: "user", ...DENY_RM });
    sandbox.hook("limit", {
      scope: "user",
      fields: ["matcher:", "  pattern: 'ls'"],
      script: `echo '{"decision": "allow", "modified_input": {"command": "echo changed"}}'`,
    });
    const script = [shell("rm -rf /"), shell("ls"), "Done."];
    const file = agentFile(sandbox, { script, tools: ["Shell"] });
    const { stderr } = await sandbox.run(["run", file, "Go!"]);
    expect(stderr).toMatch(
      /! guard refused Shell rm -rf \/: this destroys data\n {2}⊘ Shell rm -rf \/ {2}blocked/,
    );
    expect(stderr.split("this destroys data")).toHaveLength(2);
    expect(stderr).toMatch(/! limit changed toolInput of Shell ls\n {2}→ Shell echo changed\n/);
  });

  test.each([
    ["block", "failed, gate_unsatisfied", 1],
    ["continue", "the gate gate failed, and its on_error lets the agent stop", 0],
  ])("shows a failed gate with on_error: %s", async (onError, shown, exit) => {
    const sandbox = new CommandSandbox();
    sandbox.hook("gate", {
      scope: "user",
      trigger: "before_stop",
      fields: [`on_error: ${onError}`],
      script: "exit 7",
    });
    const file = agentFile(sandbox, { script: ["Done."], tools: [] });
    const { code, stderr } = await sandbox.run(["run", file, "Go!"]);
    expect(stderr).toContain(shown);
    expect(code).toBe(exit);
  });

  test("shows why a tool failed, retries, and discarded text", async () => {
    const sandbox = new CommandSandbox();
    const script = [
      { toolCalls: [{ name: "ReadFile", input: { file_path: "missing.txt" } }] },
      { text: "one two", halfway: "cut" },
      "Done.",
    ];
    const file = agentFile(sandbox, { script, tools: ["ReadFile"] });
    const { stdout, stderr } = await sandbox.run(["run", file, "Go!"]);
    expect(stderr).toMatch(/✗ ReadFile missing\.txt {2}failed \S+ ms\n {4}"missing\.txt" does not exist/);
    expect(stderr).toContain("(the text above was discarded: the model call failed:");
    expect(stderr).toMatch(/↻ the model call failed and is retried in 500 ms: The answer was cut off/);
    expect(stdout).toBe("Done.\n");
  });

  test("indents the progress of a subagent", async () => {
    const sandbox = new CommandSandbox();
    const file = agentFile(sandbox, {
      script: [{ toolCalls: [{ name: "Scout", input: { task: "look" } }] }, "Done."],
      fields: { subagents: ["scout"] },
      file: {
        agents: [
          {
            id: "scout",
            name: "Scout",
            description: "looks",
            modelName: "other",
            instructions: "",
            toolNames: ["Glob"],
          },
        ],
        models: {
          other: {
            provider: "scripted",
            script: [{ toolCalls: [{ name: "Glob", input: { pattern: "*" } }] }, "Nothing here."],
          },
        },
      },
    });
    const { stdout, stderr } = await sandbox.run(["run", file, "Go!"]);
    expect(stderr).toMatch(
      / {2}→ Scout look\n {4}Scout: look\n {4}step 1\n {6}→ Glob \*\n {6}✓ Glob \* .*\n {4}step 2\n {6}Nothing here\.\n {2}✓ Scout look /,
    );
    expect(stdout).toBe("Done.\n");
  });

  test("with --json is one event per line, from start to end", async () => {
    const sandbox = new CommandSandbox();
    const file = agentFile(sandbox, { script: [{ error: "no such luck" }] });
    const { code, stdout, stderr } = await sandbox.run(["run", file, "Hello!", "--json"]);
    const events = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events[0]).toMatchObject({ type: "run_start", agent: "Assistant", message: "Hello!" });
    expect(events.at(-1)).toMatchObject({
      type: "run_end",
      run: { status: "failed", error: { name: "Error", message: "no such luck" } },
    });
    expect(stderr).toBe("");
    expect(code).toBe(1);
  });

  test("is streamed on a terminal, with control characters escaped", async () => {
    const sandbox = new CommandSandbox();
    const script = [{ text: "I \u001B[31mlook.", ...shell("true") }, "Done."];
    const file = agentFile(sandbox, { script, tools: ["Shell"] });
    const { code, stdout } = await sandbox.conversation(["run", file, "Go!"], []);
    expect(stdout.replaceAll("\r\u001B[K", "<back>")).toMatch(
      /^step 1\nI \\u\{1b\}\[31mlook\.\n {2}→ Shell true<back> {2}✓ Shell true .*\nstep 2\nDone\.\ncompleted/,
    );
    expect(code).toBe(0);
  });
});

describe("the hooks of a run", () => {
  test("are those of the user and of the trusted project of the working folder", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("guard", DENY_RM);
    const file = agentFile(sandbox, { script: [shell("echo rm -rf x"), "Done."], tools: ["Shell"] });
    const elsewhere = { cwd: sandbox.root };
    const args = ["run", join("project", file), "Go!", "--work-dir", "project"];
    const untrusted = await sandbox.run(args, elsewhere);
    expect(untrusted.stderr).toContain("✓ Shell echo rm -rf x");
    expect(untrusted.stderr).toContain("guard was not run: not trusted yet");
    await sandbox.onTerminal(["trust"], ["y"]);
    expect((await sandbox.run(args, elsewhere)).stderr).toContain("guard refused Shell echo rm -rf x");
    const without = await sandbox.run([...args, "--no-file-hooks"], elsewhere);
    expect(without.stderr).toContain("✓ Shell echo rm -rf x");
  });

  test("are recorded in the audit trail, and the folder of a temporary session is removed", async () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("guard", { scope: "user", ...DENY_RM });
    sandbox.hook("notes", { scope: "user", trigger: "session_end", script: "exit 0" });
    const file = agentFile(sandbox, { script: [shell("rm -rf /"), "Done."], tools: ["Shell"] });
    await sandbox.run(["run", file, "Go!"]);
    const { stdout } = await sandbox.run(["log", "--blocked"]);
    expect(stdout).toMatch(/before_tool Shell block by guard/);
    expect(readdirSync(join(sandbox.home, ".local", "state", "tenterhook", "sessions"))).toEqual([]);
  });
});

describe("how a run ends", () => {
  test.each([
    [
      "a hook refuses the message",
      { hooks: ["trigger: before_agent", "action: block", "reason: not now"] },
      2,
      /stopped .*: not now/,
    ],
    [
      "it reaches its limit of steps",
      { args: ["--max-steps", "1"] },
      2,
      /stopped .*: it reached its limit of 1 steps/,
    ],
    ["the model fails", { script: [{ error: "out of order" }] }, 1, /failed .*: out of order/],
  ])(
    "determines the exit code when %s",
    async (_, {
      hooks,
      args = [],
      script = [shell("true"), "Done."],
    }: { hooks?: string[]; args?: string[]; script?: unknown[] }, code, message) => {
      const sandbox = new CommandSandbox();
      if (hooks !== undefined) {
        sandbox.write(
          join(sandbox.userHooks, "gate", "HOOK.md"),
          ["---", "name: gate", "description: gate", ...hooks, "---", ""].join("\n"),
        );
      }
      const file = agentFile(sandbox, { script, tools: ["Shell"] });
      const ran = await sandbox.run(["run", file, "Go!", ...args]);
      expect(ran.stderr).toMatch(message);
      expect(ran).toMatchObject({ code, stdout: "" });
    },
  );

  test("with Ctrl-C, which npx forwards a second time, is 130, and after-hooks are called", async () => {
    const sandbox = new CommandSandbox();
    const called = join(sandbox.root, "called");
    for (const trigger of ["after_tool_failure", "after_agent", "session_end"]) {
      sandbox.hook(trigger.replaceAll("_", "-"), {
        scope: "user",
        trigger,
        script: `echo ${trigger} >> ${called}`,
      });
    }
    const file = agentFile(sandbox, { script: [shell("echo started; sleep 60")], tools: ["Shell"] });
    const child = spawn(process.execPath, [BIN, "run", file, "Go!"], {
      cwd: sandbox.project,
      env: sandbox.env(),
    });
    child.stderr.on("data", (chunk: Buffer) => {
      if (!chunk.includes("→ Shell")) return;
      child.kill("SIGINT");
      child.kill("SIGINT");
    });
    const code = await new Promise((resolve) => child.once("close", resolve));
    expect(code).toBe(130);
    expect(sandbox.read(called)).toBe("after_tool_failure\nafter_agent\nsession_end\n");
  });
});

describe("an agent", () => {
  test.each([
    [["agent.json"], 'missing message.\nWrite it after the file: tenterhook run agent.json "MESSAGE"'],
    [
      ["agent.json", "Hello", "there"],
      '"there" is a second message, and an agent in a file takes one.\nQuote',
    ],
    [
      ["agent.json", "Hello", "--detach"],
      "--detach is for an agent of a coordinator, and agent.json is a file",
    ],
    [
      ["./agent", "Hello", "--url", "http://127.0.0.1:1"],
      "--url is for an agent of a coordinator, and ./agent is",
    ],
    [
      ["agent", "Hello", "--max-steps", "3"],
      "--max-steps is for an agent in a file, and agent is the name of",
    ],
    [["agent", "Hello", "--no-file-hooks"], "For the file in this folder: tenterhook run ./agent.json"],
    [["agent", "Hello"], "no coordinator is running"],
    [["agent", "Hello"], "For the file in this folder: tenterhook run ./agent.json"],
    [["agent.yaml", "Hello"], '"agent.yaml" is neither a JSON file nor the name of an agent.'],
    [["", "Hello"], '"" is neither a JSON file nor the name of an agent.'],
    [["missing.json", "Hello"], "missing.json cannot be read"],
  ])("is a file or a name, and a wrong argument is named: %j", async (args, message) => {
    const sandbox = new CommandSandbox();
    agentFile(sandbox);
    const { code, stdout, stderr } = await sandbox.run(["run", ...args]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(message);
  });

  test("in a file whose name does not end with .json runs with a slash before it", async () => {
    const sandbox = new CommandSandbox();
    sandbox.write(join(sandbox.project, "hello"), sandbox.read(join(sandbox.project, agentFile(sandbox))));
    expect((await sandbox.run(["run", "./hello", "a=1"])).stdout).toBe("Hello!\n");
  });
});
