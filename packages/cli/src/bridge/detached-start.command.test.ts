import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { BIN, CommandSandbox, ended, type Ran } from "../testing/command-sandbox.ts";

/** How a client whose session start is not waited for delivers it, and the first event after it that can be refused. */
const CLIENTS = {
  cline: {
    start: ["TaskStart", (session: string) => ({ hookName: "agent_start", taskId: session, taskStart: {} })],
    resume: ["TaskResume", (session: string) => ({ hookName: "agent_resume", taskId: session })],
    first: [
      "PreToolUse",
      (session: string) => ({
        hookName: "tool_call",
        taskId: session,
        tool_call: { id: "1", name: "run_commands", input: { commands: ["ls"] } },
      }),
    ],
  },
  kimi: {
    start: ["SessionStart", (session: string) => ({ session_id: session, source: "startup" })],
    resume: ["SessionStart", (session: string) => ({ session_id: session, source: "resume" })],
    first: ["UserPromptSubmit", (session: string) => ({ session_id: session, prompt: "go" })],
  },
  opencode: {
    start: ["event:session.created", (session: string) => ({ properties: { sessionID: session } })],
    resume: ["event:session.created", (session: string) => ({ properties: { sessionID: session } })],
    first: ["UserPromptSubmit", (session: string) => ({ session_id: session, prompt: "go" })],
  },
} as const;
type Id = keyof typeof CLIENTS;
const IDS = Object.keys(CLIENTS) as Id[];

/** A sandbox with a hook of session_start that counts how often it is asked. */
class StartSandbox extends CommandSandbox {
  readonly asked = join(this.root, "asked");

  startHook(script: string, fields: readonly string[] = []): void {
    const body = `cat > /dev/null; echo asked >> '${this.asked}'\n${script}`;
    super.hook("session-guard", { scope: "user", trigger: "session_start", fields, script: body });
  }

  get timesAsked(): number {
    return existsSync(this.asked) ? readFileSync(this.asked, "utf8").split("\n").length - 1 : 0;
  }

  begin(id: Id, event: "start" | "resume" | "first", session = "s1", timeout = 30): ChildProcess {
    const [name, payload] = CLIENTS[id][event];
    const args = ["bridge", "--client", id, "--event", name, "--timeout", String(timeout)];
    const child = spawn(process.execPath, [BIN, ...args], { cwd: this.project, env: this.env() });
    onTestFinished(() => void child.kill("SIGKILL"));
    child.stdin.end(JSON.stringify({ cwd: this.project, ...payload(session) }));
    return child;
  }

  send(id: Id, event: "start" | "resume" | "first", session?: string, timeout?: number): Promise<Ran> {
    return ended(this.begin(id, event, session, timeout) as never);
  }
}

const REFUSE = "echo R-SESSION >&2; exit 2";
/** As long as the sandbox exists. */
const HANG = (sandbox: StartSandbox) => `while [ -e '${sandbox.asked}' ]; do sleep 0.1; done`;

test.each(IDS)("%s: the first call waits for a slow session hook, and is refused by it", async (id) => {
  const sandbox = new StartSandbox();
  sandbox.startHook(`sleep 3; ${REFUSE}`);
  const start = ended(sandbox.begin(id, "start") as never);
  await expect.poll(() => sandbox.timesAsked).toBe(1);
  expect(told(await sandbox.send(id, "first"))).toContain("R-SESSION");
  await start;
  expect(told(await sandbox.send(id, "first"))).toContain("R-SESSION");
  expect(sandbox.timesAsked).toBe(1);
});

test.each(IDS)("%s: a call that comes before the session start asks its hooks itself, once", async (id) => {
  const sandbox = new StartSandbox();
  sandbox.startHook(REFUSE);
  expect(told(await sandbox.send(id, "first"))).toContain("R-SESSION");
  expect(await sandbox.send(id, "start")).toMatchObject({ code: 0, stdout: noObjection(id) });
  expect(told(await sandbox.send(id, "first"))).toContain("R-SESSION");
  expect(sandbox.timesAsked).toBe(1);
});

test.each(IDS)("%s: a session that its hook lets begin goes on, in either order", async (id) => {
  const sandbox = new StartSandbox();
  sandbox.startHook("exit 0");
  for (const order of [["start", "first", "first"] as const, ["first", "start", "first"] as const])
    for (const event of order)
      expect(await sandbox.send(id, event, order[0])).toMatchObject({ code: 0, stdout: noObjection(id) });
  expect(sandbox.timesAsked).toBe(2);
});

test("a session start and a first call of the same moment ask the hook once, and the call is refused", async () => {
  const sandbox = new StartSandbox();
  sandbox.startHook(REFUSE);
  for (let nth = 0; nth < 6; nth++) {
    const events = nth % 2 === 0 ? (["start", "first"] as const) : (["first", "start"] as const);
    const both = await Promise.all(events.map((event) => sandbox.send("cline", event, `s${nth}`)));
    expect(told(both[events.indexOf("first")])).toContain("R-SESSION");
    expect(sandbox.timesAsked).toBe(nth + 1);
  }
});

test("of several first calls at once every one is refused, and the hook is asked once", async () => {
  const sandbox = new StartSandbox();
  sandbox.startHook(REFUSE);
  const calls = await Promise.all([1, 2, 3, 4].map(() => sandbox.send("cline", "first")));
  for (const call of calls) expect(told(call)).toContain("R-SESSION");
  expect(sandbox.timesAsked).toBe(1);
});

test("a resumed session asks the hook again, and its verdict applies", async () => {
  const sandbox = new StartSandbox();
  sandbox.startHook(`[ "$(wc -l < '${sandbox.asked}')" -lt 2 ] || { ${REFUSE}; }`);
  await sandbox.send("cline", "start");
  expect(told(await sandbox.send("cline", "first"))).toBe("");
  await sandbox.send("cline", "resume");
  expect(sandbox.timesAsked).toBe(2);
  expect(told(await sandbox.send("cline", "first"))).toContain("R-SESSION");
});

test.each([
  ["block", /session-guard must not be passed over/],
  ["continue", /^$/],
])(
  "when the process that asks the session's hook is killed, on_error: %s decides about every call",
  async (onError, answer) => {
    const sandbox = new StartSandbox();
    sandbox.startHook(HANG(sandbox), [`on_error: ${onError}`]);
    const start = sandbox.begin("cline", "start");
    await expect.poll(() => sandbox.timesAsked).toBe(1);
    start.kill("SIGKILL");
    await new Promise((resolve) => start.once("exit", resolve));
    for (let nth = 0; nth < 2; nth++) expect(told(await sandbox.send("cline", "first"))).toMatch(answer);
    expect(sandbox.read(sandbox.auditFile)).toContain("has ended without an answer");
    expect(sandbox.timesAsked).toBe(1);
  },
);

test.each([
  ["block", /have not answered in the time that this call has/],
  ["continue", /^$/],
])("when a session's hook takes longer than a call may, on_error: %s decides", async (onError, answer) => {
  const sandbox = new StartSandbox();
  sandbox.startHook(HANG(sandbox), [`on_error: ${onError}`]);
  sandbox.begin("cline", "start", "s1", 60);
  await expect.poll(() => sandbox.timesAsked).toBe(1);
  expect(told(await sandbox.send("cline", "first", "s1", 3))).toMatch(answer);
  expect(sandbox.read(sandbox.auditFile)).toContain("have not answered");
});

test("a call that passes because that process is gone shows it where the client can, once", async () => {
  const sandbox = new StartSandbox();
  sandbox.startHook(HANG(sandbox), ["on_error: continue"]);
  const start = sandbox.begin("opencode", "start");
  await expect.poll(() => sandbox.timesAsked).toBe(1);
  start.kill("SIGKILL");
  await new Promise((resolve) => start.once("exit", resolve));
  const shown = [await sandbox.send("opencode", "first"), await sandbox.send("opencode", "first")];
  expect(shown.map(({ code }) => code)).toEqual([0, 0]);
  expect(JSON.parse(shown[0]?.stdout ?? "").note).toContain("has ended without an answer");
  expect(JSON.parse(shown[1]?.stdout ?? "")).toEqual({});
});

test("where nothing can be stored, every call is checked by the session's hook itself", async () => {
  const sandbox = new StartSandbox();
  sandbox.startHook(REFUSE);
  // A file in the place of the folder, because root may write into every folder.
  writeFileSync(join(sandbox.home, ".local"), "");
  chmodSync(join(sandbox.home, ".local"), 0o400);
  for (let nth = 0; nth < 2; nth++) expect(told(await sandbox.send("cline", "first"))).toContain("R-SESSION");
});

test("a client without hooks of session_start leaves no trace of waiting", async () => {
  const sandbox = new StartSandbox();
  sandbox.hook("other", { scope: "user", fields: ["matcher: { pattern: nothing }"], script: "exit 2" });
  // The first call records the guard, the second one stores the plan that depends on it.
  for (let nth = 0; nth < 2; nth++) await sandbox.send("cline", "first");
  await sandbox.send("cline", "first", "s2");
  const sessions = join(sandbox.home, ".local", "state", "tenterhook", "bridge", "sessions");
  expect(existsSync(join(sessions, "cline-s2"))).toBe(true);
  expect(existsSync(join(sessions, "cline-s2", "verdicts"))).toBe(false);
});

/** What a client gets that is not refused: the plugin of OpenCode takes no output for a failure. */
function noObjection(id: Id): string {
  return id === "opencode" ? "{}\n" : "";
}

/** The reason of a refusal, as the client gets it; empty when it was not refused. */
function told(ran: Ran | undefined): string {
  const { code, stdout = "", stderr = "" } = ran ?? {};
  const { cancel, errorMessage, block } = stdout.startsWith("{") ? JSON.parse(stdout) : ({} as never);
  if (cancel === true) return String(errorMessage);
  return typeof block === "string" ? block : code === 2 ? stderr : "";
}
