import { describe, expect, test } from "vitest";
import { agentFile } from "../testing/agent-file.ts";
import { CommandSandbox } from "../testing/command-sandbox.ts";

const ASK = `echo '{"decision": "ask", "reason": "it leaves this machine"}'`;
const shell = (command: string) => ({ toolCalls: [{ name: "Shell", input: { command } }] });

describe("an approval", () => {
  const asking = () => {
    const sandbox = new CommandSandbox();
    sandbox.hook("network", { scope: "user", script: ASK });
    return {
      sandbox,
      file: agentFile(sandbox, { script: [shell("echo hello"), "Done."], tools: ["Shell"] }),
    };
  };

  test("is rejected without a terminal, with the reason", async () => {
    const { sandbox, file } = asking();
    const { code, stderr } = await sandbox.run(["run", file, "Go!"]);
    expect(stderr).toContain(
      "network refused Shell echo hello: it leaves this machine (no user to ask: standard input is not a terminal)",
    );
    expect(code).toBe(0);
  });

  test("is rejected inside an agent, which must not answer for a user", async () => {
    const { sandbox, file } = asking();
    const { stdout } = await sandbox.conversation(["run", file, "Go!"], [], { CLAUDECODE: "1" });
    expect(stdout).toContain("no user to ask: this runs inside an agent or a hook, CLAUDECODE is set");
  });

  test("is asked at a terminal, and an approved call runs", async () => {
    const { sandbox, file } = asking();
    const { stdout } = await sandbox.conversation(
      ["run", file, "Go!"],
      [
        ["[a/r/e] ", "what?\r"],
        ["[a/r/e] ", "a\r"],
      ],
    );
    expect(stdout).toMatch(/\? network asks: it leaves this machine\n {2}Shell echo hello\n/);
    expect(stdout).toContain("✓ Shell echo hello");
  });

  test("can be rejected with a reason for the model", async () => {
    const { sandbox, file } = asking();
    const { stdout } = await sandbox.conversation(
      ["run", file, "Go!"],
      [
        ["[a/r/e] ", "r\r"],
        ["Reason for the model?", "not today\r"],
      ],
    );
    expect(stdout).toContain("! network refused Shell echo hello: not today");
  });

  test("can be edited until the JSON is valid", async () => {
    const { sandbox, file } = asking();
    const { stdout } = await sandbox.conversation(
      ["run", file, "Go!"],
      [
        ["[a/r/e] ", "e\r"],
        ['{"command":"echo hello"}', '\u0015{"command": "echo other}\r'],
        ["Invalid JSON", '\u0015{"command": "echo other"}\r'],
      ],
    );
    expect(stdout).toContain("✓ Shell echo other");
  });

  test("ends with Ctrl-C", async () => {
    const { sandbox, file } = asking();
    const { stdout } = await sandbox.conversation(["run", file, "Go!"], [["[a/r/e] ", "\u0003"]]);
    expect(stdout).toMatch(/ending the run.*\n(.*\n)*stopped \(.*\): interrupted/);
  });
});
