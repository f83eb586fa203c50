import { execFile } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, describe, expect, test, vi } from "vitest";
import { allow, findWaiting, listWaiting, storeAsked } from "../allowances/allowance-files.ts";
import { listCodes, makeKey } from "../allowances/asked-call.ts";
import { BridgeSandbox } from "../testing/bridge-sandbox.ts";
import type { NativeAnswer } from "./encode/encode.ts";

afterEach(() => void vi.useRealTimers());

const CODEX = "codex/PreToolUse.Bash";
const CLAUDE = "claude/PreToolUse.Bash";
const NOTHING: NativeAnswer = { stdout: "", stderr: "", exit: 0 };
const SHELL = ["matcher: { tool: ^Shell$ }"];
const asking = (reason = "sure?") => `echo '{"decision":"ask","reason":"${reason}"}'`;
let calls = 0;
const bash = (command: string) => ({ tool_input: { command }, tool_use_id: `call-${calls++}` });

function asker(parts: { readonly fields?: readonly string[]; readonly script?: string } = {}) {
  const sandbox = new BridgeSandbox();
  const folder = sandbox.hook("careful", { fields: SHELL, script: asking(), ...parts });
  return { sandbox, folder };
}

function readCodeOf({ stdout, stderr }: NativeAnswer): string | undefined {
  return /A person can allow this once: tenterhook allow (\w+)/.exec(stdout + stderr)?.[1];
}

/** What a person does with a code: `tenterhook allow CODE`, and a yes. */
function allowCode({ state }: BridgeSandbox, code: string | undefined, now = Date.now()): boolean {
  const waiting = findWaiting(state, code ?? "", now);
  return waiting !== undefined && allow(state, waiting, now);
}

async function askAndAllow(sandbox: BridgeSandbox, command: string): Promise<void> {
  const code = readCodeOf(await sandbox.send(CODEX, bash(command)));
  expect(allowCode(sandbox, code)).toBe(true);
}

/** A clock that stands, some milliseconds from now. */
function later(ms: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
}

describe("where the client cannot ask", () => {
  test("the refusal ends with a code, and the allowed call passes once", async () => {
    const { sandbox } = asker();
    const refused = await sandbox.send(CODEX, bash("git push"));
    expect(refused.stderr).toMatch(
      /^sure\? \(a person must decide, and Codex CLI cannot ask here\)\. A person can allow this once: tenterhook allow [2-9A-Z]{4}\n$/,
    );
    expect(allowCode(sandbox, readCodeOf(refused))).toBe(true);
    expect(await sandbox.send(CODEX, bash("git push"))).toEqual(NOTHING);
    expect(await sandbox.send(CODEX, bash("git push"))).toMatchObject({ exit: 2 });
    expect(sandbox.log.map(({ outcome, allowed_once }) => [outcome, allowed_once])).toEqual([
      ["proceed", undefined],
      ["proceed", true],
      ["proceed", undefined],
    ]);
    expect(sandbox.log[0]).toMatchObject({ decided_by: "careful", reason: "sure?", reported: "block" });
  });

  test.each([
    ["codex/PreToolUse.Bash"],
    ["gemini/BeforeTool.run_shell_command"],
    ["copilot/preToolUse.bash"],
    ["droid/PreToolUse.Execute"],
    ["kimi/PreToolUse.Bash"],
    ["qwen/PreToolUse.run_shell_command"],
    ["cline/tool_call.run_commands"],
    ["opencode/PreToolUse.bash"],
  ])("%s gets a code, and passes once with it", async (fixture) => {
    const { sandbox } = asker();
    const silent = await new BridgeSandbox().send(fixture);
    expect(allowCode(sandbox, readCodeOf(await sandbox.send(fixture)))).toBe(true);
    expect(await sandbox.send(fixture)).toEqual(silent);
  });

  test("a call that is asked again has the same code, and another call another one", async () => {
    const { sandbox } = asker();
    const codes: (string | undefined)[] = [];
    for (const command of ["one", "one", "two"])
      codes.push(readCodeOf(await sandbox.send(CODEX, bash(command))));
    expect(codes[0]).toMatch(/^[2-9A-Z]{4}$/);
    expect(codes[1]).toBe(codes[0]);
    expect(codes[2]).not.toBe(codes[0]);
    expect(listWaiting(sandbox.state, Date.now())).toHaveLength(2);
  });

  test.each<[string, Readonly<Record<string, unknown>>]>([
    ["input", { tool_input: { command: "git push --force" } }],
    ["further argument", { tool_input: { command: "git push", timeout: 1 } }],
    ["session", { session_id: "another" }],
    ["working folder", { cwd: "/" }],
  ])("an allowance is not for another %s", async (_, change) => {
    const { sandbox } = asker();
    await askAndAllow(sandbox, "git push");
    expect(await sandbox.send(CODEX, { ...bash("git push"), ...change })).toMatchObject({ exit: 2 });
    expect(await sandbox.send(CODEX, bash("git push"))).toEqual(NOTHING);
  });

  test.each<[string, (sandbox: BridgeSandbox, folder: string) => void]>([
    ["an edited script", (_, folder) => appendFileSync(join(folder, "scripts", "run.sh"), "# more\n")],
    ["a new file of the rule", (_, folder) => writeFileSync(join(folder, "list.txt"), "")],
    [
      "hooks.toml",
      ({ userHooks }) => writeFileSync(join(userHooks, "hooks.toml"), "[hooks.careful]\npriority = 3\n"),
    ],
    [
      "a further rule",
      (sandbox) => void sandbox.hook("second", { fields: SHELL, script: asking("really?") }),
    ],
  ])("%s makes the call be asked about again", async (_, change) => {
    const { sandbox, folder } = asker();
    await askAndAllow(sandbox, "git push");
    change(sandbox, folder);
    const again = await sandbox.send(CODEX, bash("git push"));
    expect(again).toMatchObject({ exit: 2 });
    expect(allowCode(sandbox, readCodeOf(again))).toBe(true);
    expect(await sandbox.send(CODEX, bash("git push"))).toEqual(NOTHING);
  });

  test("a code can be used for an hour after the call was last asked about", async () => {
    const { sandbox } = asker();
    const code = readCodeOf(await sandbox.send(CODEX, bash("git push")));
    expect(findWaiting(sandbox.state, code ?? "", Date.now() + 59 * 60_000)).toBeDefined();
    expect(findWaiting(sandbox.state, code ?? "", Date.now() + 60 * 60_000)).toBeUndefined();
    expect(findWaiting(sandbox.state, code ?? "", Date.now() - 60_000)).toBeUndefined();
    expect(allowCode(sandbox, code, Date.now() + 60 * 60_000)).toBe(false);
    later(50 * 60_000);
    expect(readCodeOf(await sandbox.send(CODEX, bash("git push")))).toBe(code);
    expect(findWaiting(sandbox.state, code ?? "", Date.now() + 59 * 60_000)).toBeDefined();
  });

  test.each([
    [9 * 60_000, 0],
    [10 * 60_000, 2],
    [-60_000, 2],
  ])("an allowance that was given %d ms ago is answered with exit %d", async (ms, exit) => {
    const { sandbox } = asker();
    await askAndAllow(sandbox, "git push");
    later(ms);
    expect(await sandbox.send(CODEX, bash("git push"))).toMatchObject({ exit });
    vi.useRealTimers();
    // It is not given back.
    expect(await sandbox.send(CODEX, bash("git push"))).toMatchObject({ exit: 2 });
  });

  test("a yes that comes twice, or too late, allows nothing more", async () => {
    const { sandbox } = asker();
    const code = readCodeOf(await sandbox.send(CODEX, bash("git push"))) ?? "";
    const waiting = findWaiting(sandbox.state, code, Date.now());
    if (waiting === undefined) throw new Error("it does not wait");
    expect(allow(sandbox.state, waiting, Date.now() + 61 * 60_000)).toBe(false);
    expect(allow(sandbox.state, waiting, Date.now())).toBe(true);
    expect(await sandbox.send(CODEX, bash("git push"))).toEqual(NOTHING);
    expect(allow(sandbox.state, waiting, Date.now())).toBe(false);
    expect(await sandbox.send(CODEX, bash("git push"))).toMatchObject({ exit: 2 });
  });

  test("what a person is shown is what is allowed: a call that was put in its place is not", async () => {
    const { sandbox } = asker();
    const code = readCodeOf(await sandbox.send(CODEX, bash("git status"))) ?? "";
    const other = readCodeOf(await sandbox.send(CODEX, bash("git push --force"))) ?? "";
    const waiting = findWaiting(sandbox.state, code, Date.now());
    if (waiting === undefined) throw new Error("it does not wait");
    const asked = join(sandbox.state, "allowances", "asked");
    renameSync(join(asked, `${other}.json`), join(asked, `${code}.json`));
    expect(findWaiting(sandbox.state, code, Date.now())).toBeUndefined();
    expect(allow(sandbox.state, waiting, Date.now())).toBe(false);
    expect(await sandbox.send(CODEX, bash("git push --force"))).toMatchObject({ exit: 2 });
  });
});

/** Sends the same call from a process of its own at a given moment, and prints its exit code. */
const SEND = `
  const { bridge } = await import(process.argv[1]);
  const call = JSON.parse(process.argv[2]);
  while (Date.now() < call.start);
  const { exit } = await bridge({ ...call, entry: String(process.pid) });
  console.log(exit);
`;

test("of equal calls of several processes at the same moment, exactly one uses an allowance", async () => {
  const { sandbox } = asker();
  const module = new URL("../../dist/call/bridge.js", import.meta.url).href;
  for (let round = 0; round < 4; round++) {
    const command = `git push ${round}`;
    await askAndAllow(sandbox, command);
    const start = Date.now() + 1_500;
    const exits = await Promise.all(
      [0, 1, 2, 3].map(async (nth) => {
        // Other ids: they are calls of their own, not one that two entries of the client's configuration report.
        const payload = sandbox.payload(CODEX, { tool_input: { command }, tool_use_id: `${round}-${nth}` });
        const env = { PATH: process.env.PATH, HOME: sandbox.home };
        const call = {
          client: "codex",
          event: "PreToolUse",
          stdin: JSON.stringify(payload),
          cwd: sandbox.project,
          env,
          start,
        };
        const args = ["--input-type=module", "--eval", SEND, module, JSON.stringify(call)];
        const { stdout } = await promisify(execFile)(process.execPath, args);
        return Number(stdout);
      }),
    );
    expect(exits.sort()).toEqual([0, 2, 2, 2]);
  }
});

describe("no code", () => {
  const hasNoCode = async (sandbox: BridgeSandbox) => {
    const answer = await sandbox.send(CODEX, bash("git push"));
    expect(answer).toMatchObject({ exit: 2, stderr: expect.not.stringContaining("tenterhook allow") });
    expect(listWaiting(sandbox.state, Date.now())).toEqual([]);
  };

  test("for a block", async () => {
    await hasNoCode(asker({ script: "echo no >&2; exit 2" }).sandbox);
  });

  test("for a question with `not_by`, because nothing here knows who decides", async () => {
    await hasNoCode(
      asker({ script: `echo '{"decision":"ask","reason":"sure?","not_by":"requester"}'` }).sandbox,
    );
  });

  test("for a question beside a block of another hook", async () => {
    const { sandbox } = asker();
    sandbox.hook("strict", { fields: SHELL, script: "echo no >&2; exit 2" });
    await hasNoCode(sandbox);
  });

  test("where the state folder cannot be written to, and the log names the cause", async () => {
    const { sandbox } = asker();
    sandbox.write(join(sandbox.state, "allowances"), "a file");
    await hasNoCode(sandbox);
    expect(sandbox.log[0]?.notes?.join()).toMatch(/cannot allow this by a code: .*allowances/);
  });

  test("for a call that is too long to be shown, or has a number that is read as another one", async () => {
    const { sandbox } = asker();
    const long = await sandbox.send(CODEX, bash(`echo ${"x".repeat(1_100_000)}`));
    expect(long).toMatchObject({ exit: 2, stderr: expect.not.stringContaining("tenterhook allow") });
    const stdin = JSON.stringify(sandbox.payload(CODEX, bash("x"))).replace(
      '"x"',
      '"x","n":9007199254740993',
    );
    const inexact = await sandbox.send(CODEX, {}, { stdin });
    expect(inexact).toMatchObject({ exit: 2, stderr: expect.not.stringContaining("tenterhook allow") });
  });
});

test("after an allowance, a block of another hook still counts, and does not use it up", async () => {
  const { sandbox } = asker();
  await askAndAllow(sandbox, "git push");
  // It is called after the one that asks.
  const strict = sandbox.hook("strict", { fields: [...SHELL, "priority: 0"], script: "echo no >&2; exit 2" });
  expect(await sandbox.send(CODEX, bash("git push"))).toMatchObject({ exit: 2, stderr: "no\n" });
  rmSync(strict, { recursive: true });
  // The note says that a known hook is gone.
  expect(await sandbox.send(CODEX, bash("git push"))).toMatchObject({ exit: 0 });
});

describe("a hostile state folder passes nothing:", () => {
  const spoil = (name: string, change: (path: string, content: string, folder: string) => void) =>
    test(name, async () => {
      const { sandbox } = asker();
      await askAndAllow(sandbox, "git push");
      const folder = join(sandbox.state, "allowances", "allowed");
      const [file = ""] = readdirSync(folder);
      change(join(folder, file), readFileSync(join(folder, file), "utf8"), folder);
      expect(await sandbox.send(CODEX, bash("git push"))).toMatchObject({ exit: 2 });
      expect(await sandbox.send(CODEX, bash("git push"))).toMatchObject({ exit: 2 });
    });

  const replace = (path: string, text: string) => writeFileSync(path, text, { mode: 0o600 });
  spoil("broken JSON", (path, text) => replace(path, text.slice(1)));
  spoil("an empty file", (path) => replace(path, ""));
  spoil("another key", (path, text) => replace(path, text.replace(/"key":"./, '"key":"x')));
  spoil("a huge file", (path, text) => replace(path, text + " ".repeat(2_000)));
  spoil("a time as text", (path, text) =>
    replace(path, text.replace(/"allowed_at":(\d+)/, '"allowed_at":"$1"')),
  );
  spoil("a link to an allowance", (path, text, folder) => {
    replace(join(folder, "..", "elsewhere.json"), text);
    rmSync(path);
    symlinkSync("../elsewhere.json", path);
  });
  spoil("a folder in its place", (path) => {
    rmSync(path);
    mkdirSync(join(path, "inner"), { recursive: true });
  });
  spoil("a folder that is a link", (_, __, folder) => {
    renameSync(folder, `${folder}-elsewhere`);
    symlinkSync(`${folder}-elsewhere`, folder);
  });
  spoil("a folder that others may write in", (_, __, folder) => {
    chmodSync(folder, 0o777);
  });

  test("in place of a question, it gets a code again", async () => {
    const { sandbox } = asker();
    const asked = join(sandbox.state, "allowances", "asked");
    const code = readCodeOf(await sandbox.send(CODEX, bash("git push"))) ?? "";
    const path = join(asked, `${code}.json`);
    for (const text of ["{", "null", "[]", `{"asked_at":${Date.now()}}`, "x".repeat(2_000_000)]) {
      replace(path, text);
      expect(listWaiting(sandbox.state, Date.now())).toEqual([]);
      expect(readCodeOf(await sandbox.send(CODEX, bash("git push")))).toBe(code);
    }
    rmSync(path);
    symlinkSync("/etc/passwd", path);
    expect(readCodeOf(await sandbox.send(CODEX, bash("git push")))).toBe(code);
    expect(listWaiting(sandbox.state, Date.now())).toHaveLength(1);
  });
});

test("a code that another call has is made longer, and both can be allowed", async () => {
  const { sandbox } = asker();
  const code = readCodeOf(await sandbox.send(CODEX, bash("one"))) ?? "";
  const first = findWaiting(sandbox.state, code, Date.now());
  if (first === undefined) throw new Error("it does not wait");
  const others = new Map<string, number>();
  let pair: readonly [number, number] | undefined;
  for (let nth = 0; pair === undefined; nth++) {
    const [short = ""] = listCodes(makeKey({ ...first.call, session: String(nth) }));
    const known = others.get(short);
    if (known !== undefined) pair = [known, nth];
    others.set(short, nth);
  }
  const codes = pair.map((nth) =>
    storeAsked(sandbox.state, { ...first.call, session: String(nth) }, Date.now()),
  );
  expect(codes.map((each) => each.length)).toEqual([4, 5]);
  for (const [at, each] of codes.entries())
    expect(findWaiting(sandbox.state, each, Date.now())?.call.session).toBe(String(pair[at]));
});

test("what was allowed and never used is removed when another call is asked about", async () => {
  const { sandbox } = asker();
  await askAndAllow(sandbox, "git push");
  const allowed = join(sandbox.state, "allowances", "allowed");
  expect(readdirSync(allowed)).toHaveLength(1);
  await sandbox.send(CODEX, bash("git pull"));
  expect(readdirSync(allowed)).toHaveLength(1);
  later(11 * 60_000);
  await sandbox.send(CODEX, bash("git fetch"));
  expect(readdirSync(allowed)).toEqual([]);
});

test("at most a hundred calls wait, the last asked ones", async () => {
  const { sandbox } = asker();
  for (let nth = 0; nth < 3; nth++) await sandbox.send(CODEX, bash(`call ${nth}`));
  const [known] = listWaiting(sandbox.state, Date.now());
  if (known === undefined) throw new Error("nothing waits");
  for (let nth = 0; nth < 120; nth++)
    storeAsked(sandbox.state, { ...known.call, session: `${nth}` }, Date.now());
  const waiting = listWaiting(sandbox.state, Date.now()).map(({ call }) => call.session);
  expect(waiting).toHaveLength(100);
  expect(waiting).toContain("119");
});

describe("Claude Code", () => {
  test("asks by itself, without a code, where a person is there", async () => {
    const { sandbox } = asker();
    const { stdout } = await sandbox.send(CLAUDE, {}, { env: { CLAUDE_CODE_ENTRYPOINT: "cli" } });
    expect(JSON.parse(stdout)).toMatchObject({
      hookSpecificOutput: { permissionDecision: "ask", permissionDecisionReason: "sure?" },
    });
    expect(listWaiting(sandbox.state, Date.now())).toEqual([]);
    expect(sandbox.log[0]).toMatchObject({ decided_by: "careful", reported: "ask" });
  });

  test.each<[string, object, Readonly<Record<string, string>>]>([
    ["runs as `claude -p`", {}, { CLAUDE_CODE_ENTRYPOINT: "sdk-cli" }],
    ["asks nothing in its mode", { permission_mode: "bypassPermissions" }, { CLAUDE_CODE_ENTRYPOINT: "cli" }],
  ])("gets a code where it %s", async (_, changes, env) => {
    const { sandbox } = asker();
    const answer = await sandbox.send(CLAUDE, { ...changes, ...bash("ls") }, { env });
    expect(allowCode(sandbox, readCodeOf(answer))).toBe(true);
    expect(await sandbox.send(CLAUDE, { ...changes, ...bash("ls") }, { env })).toEqual(NOTHING);
  });
});

test("Cline ends its run at a refusal, so an allowance is for its next session too", async () => {
  const { sandbox } = asker();
  const run = "cline/tool_call.run_commands";
  const { stdout } = await sandbox.send(run, { taskId: "one" });
  expect(allowCode(sandbox, readCodeOf({ ...NOTHING, stdout }))).toBe(true);
  const passed = await sandbox.send(run, { taskId: "two", sessionContext: { rootSessionId: "other" } });
  expect(passed.stdout).not.toContain("sure?");
  expect(sandbox.log.at(-1)).toMatchObject({ allowed_once: true });
});

describe("an input that another hook changes", () => {
  const change = (command: string) => `echo '{"modified_input":{"command":"${command}"}}'`;

  test("is allowed as the rule judged it, and passes as it was changed", async () => {
    const { sandbox } = asker();
    sandbox.hook("rewrite", {
      fields: [...SHELL, "priority: 900", "metadata: { can_approve: true }"],
      script: change("git push --dry-run"),
    });
    const code = readCodeOf(await sandbox.send(CODEX, bash("git push"))) ?? "";
    const waiting = findWaiting(sandbox.state, code, Date.now());
    expect(waiting?.call.questions.map(({ input }) => input)).toEqual([{ command: "git push --dry-run" }]);
    expect(allowCode(sandbox, code)).toBe(true);
    const passed = await sandbox.send(CODEX, bash("git push"));
    expect(passed).toMatchObject({ exit: 0, stdout: expect.stringContaining("git push --dry-run") });
  });

  test("is asked about before and after the change, and one allowance is for both", async () => {
    const { sandbox } = asker({ fields: [...SHELL, "priority: 900"] });
    sandbox.hook("rewrite", {
      fields: [...SHELL, "priority: 1", "metadata: { can_approve: true }"],
      script: change("git push --dry-run"),
    });
    const code = readCodeOf(await sandbox.send(CODEX, bash("git push"))) ?? "";
    const waiting = findWaiting(sandbox.state, code, Date.now());
    expect(waiting?.call.questions.map(({ input }) => (input as { command: string }).command)).toEqual([
      "git push",
      "git push --dry-run",
    ]);
    expect(allowCode(sandbox, code)).toBe(true);
    expect(await sandbox.send(CODEX, bash("git push"))).toMatchObject({ exit: 0 });
  });

  test("has no code where the client cannot run it as it was changed", async () => {
    const { sandbox } = asker();
    sandbox.hook("rewrite", { fields: [...SHELL, "priority: 900"], script: change("ls") });
    const answer = await sandbox.send(CODEX, { ...bash("git push"), permission_mode: "default" });
    expect(answer).toMatchObject({ exit: 2, stderr: expect.not.stringContaining("tenterhook allow") });
  });
});

test("of a patch of which a rule asks about one file, the other files are shown and allowed too", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("careful", {
    fields: ["matcher: { tool: WriteFile, pattern: secret.txt }"],
    script: asking(),
  });
  const patch = (second: string) => ({
    tool_input: {
      command: `*** Begin Patch\n*** Add File: secret.txt\n+1\n*** Add File: ${second}\n+2\n*** End Patch\n`,
    },
    tool_use_id: `call-${calls++}`,
  });
  const apply = "codex/PreToolUse.apply_patch";
  const code = readCodeOf(await sandbox.send(apply, patch("a.txt"))) ?? "";
  expect(findWaiting(sandbox.state, code, Date.now())?.call).toMatchObject({
    questions: [{ rule: "careful", tool: "WriteFile" }],
    rest: [
      { tool: "WriteFile", input: { file_path: join(sandbox.project, "a.txt") } },
      { tool: "apply_patch", input: patch("a.txt").tool_input },
    ],
  });
  expect(allowCode(sandbox, code)).toBe(true);
  expect(await sandbox.send(apply, patch("b.txt"))).toMatchObject({ exit: 2 });
  expect(await sandbox.send(apply, patch("a.txt"))).toEqual(NOTHING);
});

test("an allowed command is not the same command twice in one call", async () => {
  const { sandbox } = asker();
  const run = (...commands: readonly string[]) => {
    const call = { id: `call-${calls++}`, name: "run_commands", input: { commands } };
    return sandbox.send("cline/tool_call.run_commands", { tool_call: call });
  };
  const code = readCodeOf(await run("deploy"));
  expect(allowCode(sandbox, code)).toBe(true);
  expect(readCodeOf(await run("deploy", "deploy"))).toMatch(/^[2-9A-Z]{4}$/);
  expect(readCodeOf(await run("deploy"))).toBeUndefined();
});

test("an allowed patch is not one that changes the same lines at another place of the file", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("careful", { fields: ["matcher: { tool: EditFile }"], script: asking() });
  const patch = (place: string) => ({
    tool_input: {
      command: `*** Begin Patch\n*** Update File: a.txt\n@@ ${place}\n-1\n+2\n*** End Patch\n`,
    },
    tool_use_id: `call-${calls++}`,
  });
  const apply = "codex/PreToolUse.apply_patch";
  const code = readCodeOf(await sandbox.send(apply, patch("first")));
  expect(allowCode(sandbox, code)).toBe(true);
  expect(await sandbox.send(apply, patch("second"))).toMatchObject({ exit: 2 });
  expect(await sandbox.send(apply, patch("first"))).toEqual(NOTHING);
});

describe("a shell command that only a person may run is refused", () => {
  const REFUSED = /this runs tenterhook allow, which only a person may run/;

  test.each([
    ["codex/PreToolUse.Bash", "command"],
    ["gemini/BeforeTool.run_shell_command", "command"],
    ["claude/PreToolUse.Bash", "command"],
    ["qwen/PreToolUse.run_shell_command", "command"],
    ["kimi/PreToolUse.Bash", "command"],
    ["droid/PreToolUse.Execute", "command"],
    ["opencode/PreToolUse.bash", "command"],
    ["copilot/preToolUse.bash", "command"],
    ["cline/tool_call.run_commands", "commands"],
  ])("in %s, without a hook at all, and with a stored plan", async (fixture, argument) => {
    const sandbox = new BridgeSandbox();
    later(60_000);
    for (let nth = 0; nth < 2; nth++) {
      const command = "npx tenterhook allow 7F3K";
      const input = { [argument]: argument === "commands" ? [command] : command };
      const native = { toolArgs: input, tool_call: { id: `${nth}`, name: "run_commands", input } };
      const payload = { tool_input: input, tool_use_id: `${nth}`, ...native };
      const { stdout, stderr } = await sandbox.send(fixture, payload);
      expect(stdout + stderr).toMatch(REFUSED);
    }
    expect(sandbox.log[0]).toMatchObject({ outcome: "block", decided_by: "tenterhook", reported: "block" });
  });

  test("also where a hook has put it there, and where a hook only asks", async () => {
    const { sandbox } = asker();
    expect(await sandbox.send(CODEX, bash("tenterhook trust --all"))).toMatchObject({ exit: 2 });
    expect(listWaiting(sandbox.state, Date.now())).toEqual([]);
    const other = new BridgeSandbox();
    const script = `echo '{"modified_input":{"command":"tenterhook allow 7F3K"}}'`;
    other.hook("rewrite", { fields: [...SHELL, "metadata: { can_approve: true }"], script });
    expect(await other.send(CODEX, bash("ls"))).toMatchObject({
      exit: 2,
      stderr: expect.stringMatching(REFUSED),
    });
  });
});
