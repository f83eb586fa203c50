import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CommandSandbox } from "../testing/command-sandbox.ts";

const PLAIN = { NO_COLOR: "1" };
const ASK = `echo '{"decision":"ask","reason":"sure?"}'`;
let calls = 0;

/** A sandbox with a hook that asks about each shell command. */
function newSandbox(): CommandSandbox {
  const sandbox = new CommandSandbox();
  sandbox.hook("careful", { scope: "user", fields: ["matcher: { tool: Shell }"], script: ASK });
  return sandbox;
}

/** What Codex gets when it wants to run a command. */
async function call(sandbox: CommandSandbox, command: string, cwd = sandbox.project) {
  const payload = {
    session_id: "one",
    cwd,
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command },
    tool_use_id: `call-${calls++}`,
  };
  const { code, stderr } = await sandbox.run(["bridge", "--client", "codex", "--event", "PreToolUse"], {
    input: JSON.stringify(payload),
  });
  return { exit: code, code: /tenterhook allow (\w+)\n$/.exec(stderr)?.[1] ?? "none" };
}

const readAllowed = ({ state }: CommandSandbox) => {
  const folder = join(state, "allowances", "allowed");
  return existsSync(folder) ? readdirSync(folder) : [];
};

describe("allow", () => {
  test("shows the call, asks, and after a yes it passes once", async () => {
    const sandbox = newSandbox();
    const { exit, code } = await call(sandbox, "git push\n  --force");
    expect(exit).toBe(2);
    const allowed = await sandbox.onTerminal(["allow", code.toLowerCase()], ["y"], PLAIN);
    expect(allowed.stdout).toMatch(/agent +Codex CLI\n/);
    expect(allowed.stdout).toMatch(/session +one\n/);
    expect(allowed.stdout).toMatch(new RegExp(`folder +${sandbox.project}\n`));
    expect(allowed.stdout).toContain("careful asks: sure?\nShell\n  command\n  │ git push\n  │   --force\n");
    expect(allowed.stdout).toContain("Allowed once. Let the agent try again within 10m.");
    expect(allowed.code).toBe(0);
    expect(await call(sandbox, "git push\n  --force")).toEqual({ exit: 0, code: "none" });
    expect(await call(sandbox, "git push\n  --force")).toMatchObject({ exit: 2, code });
    const { stdout } = await sandbox.run(["log"]);
    expect(stdout).toContain(
      'Codex CLI wanted to call Shell "git push\\n  --force", and it was allowed once by a person',
    );
    expect(stdout).toContain("and it was refused, because careful wanted a person to decide: sure?");
    const blocked = await sandbox.run(["log", "--blocked"]);
    expect(blocked.stdout).toContain("because careful wanted a person to decide");
    expect(blocked.stdout).not.toContain("allowed once");
  });

  test.each([["n"], [""], ["yeah"]])("allows nothing when the answer is %j", async (answer) => {
    const sandbox = newSandbox();
    const { code } = await call(sandbox, "ls");
    const ran = await sandbox.onTerminal(["allow", code], [answer], PLAIN);
    expect(ran.stdout).toContain("Not allowed.");
    expect(ran.code).toBe(1);
    expect(readAllowed(sandbox)).toEqual([]);
    expect(await call(sandbox, "ls")).toMatchObject({ exit: 2, code });
  });

  test("escapes what would disguise the call", async () => {
    const sandbox = newSandbox();
    const { code } = await call(sandbox, "ls\u001b[2K\r\u202egnp.sj\u200b\trm\u0000 \u0085end");
    const { stdout } = await sandbox.onTerminal(["allow", code], ["n"], PLAIN);
    expect(stdout).toContain("│ ls\\u{1b}[2K\\u{d}\\u{202e}gnp.sj\\u{200b}\\trm\\u{0} \\u{85}end\n");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is searched
    expect(stdout).not.toMatch(/[\u0000\u001b\u202e\u200b\u0085]/);
  });

  test("shows a long call in pages, and cuts nothing", async () => {
    const sandbox = newSandbox();
    const lines = [...Array(100).keys()].map((nth) => `echo line-${nth}`);
    const long = `echo ${"x".repeat(3_000)}-end`;
    const { code } = await call(sandbox, [...lines, long].join("\n"));
    const more: [string, string][] = Array.from({ length: 6 }, () => ["q ends) ", "\r"]);
    const ran = await sandbox.conversation(["allow", code], [...more, ["[y/N] ", "y\r"]]);
    for (const line of lines) expect(ran.stdout).toContain(`│ ${line}\n`);
    const shown = ran.stdout.split("\n").filter((line) => /│ (?:echo )?x+|-end$/.test(line));
    const pages = ran.stdout.split("Enter shows them").length - 1;
    expect(shown.map((line) => line.replace(/^ +│ /, "")).join("")).toBe(long);
    expect(pages).toBe(6);
    expect(ran.code).toBe(0);
    expect(await call(sandbox, [...lines, long].join("\n"))).toMatchObject({ exit: 0 });
  });

  test("allows nothing that was not shown to its end", async () => {
    const sandbox = newSandbox();
    const { code } = await call(sandbox, "x\n".repeat(100));
    const ran = await sandbox.conversation(["allow", code], [["q ends) ", "q\r"]]);
    expect(ran.stdout).toContain("Not allowed.");
    expect(readAllowed(sandbox)).toEqual([]);
  });

  test("--list shows what waits, and works without a terminal", async () => {
    const sandbox = newSandbox();
    expect((await sandbox.run(["allow", "--list"])).stdout).toBe("No call waits for an answer.\n");
    const { code } = await call(sandbox, "git push");
    const { stdout } = await sandbox.run(["allow", "--list"]);
    expect(stdout).toMatch(
      new RegExp(`^${code} +\\d+s ago +codex +careful +Shell {"command":"git push"}\n$`),
    );
    expect(await sandbox.json(["allow", "--list"])).toMatchObject({
      waiting: [
        { code, client: "codex", session_id: "one", questions: [{ hook: "careful", tool_name: "Shell" }] },
      ],
    });
    await sandbox.onTerminal(["allow", code], ["y"]);
    expect((await sandbox.run(["allow", "--list"])).stdout).toBe("No call waits for an answer.\n");
  });

  test("--json prints the result after the question", async () => {
    const sandbox = newSandbox();
    const { code } = await call(sandbox, "ls");
    const { stdout } = await sandbox.onTerminal(["allow", code, "--json"], ["y"], PLAIN);
    expect(JSON.parse(stdout.slice(stdout.lastIndexOf("\n{")))).toEqual({ code, allowed: true });
  });

  test("an hour after the call was asked about, its code is not known, and asking again makes it known", async () => {
    const sandbox = newSandbox();
    const { code } = await call(sandbox, "ls");
    const path = join(sandbox.state, "allowances", "asked", `${code}.json`);
    const stored = JSON.parse(readFileSync(path, "utf8")) as { asked_at: number };
    writeFileSync(path, JSON.stringify({ ...stored, asked_at: Date.now() - 3_600_000 }));
    const { stdout } = await sandbox.onTerminal(["allow", code], ["y"]);
    expect(stdout).toContain(`no call waits for an answer with the code "${code}".`);
    expect(await call(sandbox, "ls")).toMatchObject({ code });
    expect((await sandbox.onTerminal(["allow", code], ["y"])).code).toBe(0);
  });

  test("while it is shown, the call may change its place: what was shown is what counts", async () => {
    const sandbox = newSandbox();
    const { code } = await call(sandbox, "ls");
    const path = join(sandbox.state, "allowances", "asked", `${code}.json`);
    const swap = () => {
      writeFileSync(path, readFileSync(path, "utf8").replace('"ls"', '"rm -rf ."'));
      return "y";
    };
    const { stdout, code: exit } = await sandbox.onTerminal(["allow", code], [swap], PLAIN);
    expect(stdout).toContain("no call waits for an answer");
    expect(exit).toBe(1);
    expect(readAllowed(sandbox)).toEqual([]);
  });
});

test("an agent that runs it in a shell is refused, without any hook", async () => {
  const sandbox = new CommandSandbox();
  const { exit } = await call(sandbox, "script -qec 'tenterhook allow 7F3K' /dev/null");
  expect(exit).toBe(2);
  expect(await call(sandbox, "tenterhook list")).toMatchObject({ exit: 0 });
});

describe("allow refuses", () => {
  test("without a terminal", async () => {
    const sandbox = newSandbox();
    const { code } = await call(sandbox, "ls");
    const { code: exit, stdout, stderr } = await sandbox.run(["allow", code], { input: "y\n" });
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: "" });
    expect(stderr).toContain(
      "REFUSED: standard input is not a terminal, and only a person may decide what is allowed",
    );
    expect(readAllowed(sandbox)).toEqual([]);
  });

  test.each(["CLAUDECODE", "CODEX_SANDBOX", "TENTERHOOK_EVENT"])(
    "inside an agent or a hook (%s)",
    async (marker) => {
      const sandbox = newSandbox();
      const { code } = await call(sandbox, "ls");
      const { stdout, code: exit } = await sandbox.onTerminal(["allow", code], ["y"], { [marker]: "1" });
      expect(stdout).toContain(`REFUSED: this runs inside an agent or a hook (${marker} is set)`);
      expect(exit).toBe(1);
      expect(readAllowed(sandbox)).toEqual([]);
    },
  );

  test.each([
    [["allow"], "missing code."],
    [["allow", "../../x"], 'the code "../../x"'],
    [["allow", "0000"], "0000"],
  ])("%j with advice", async (args, message) => {
    const { stdout, code } = await newSandbox().onTerminal(args);
    expect(stdout).toContain(message);
    expect(stdout).toContain("allow --list");
    expect(code).toBe(1);
  });
});
