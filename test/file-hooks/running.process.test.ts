import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { block, createHooks, proceed } from "@tenterhook/engine";
import { isAlive } from "@tenterhook/test-support";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { DENY, FileHooksSandbox } from "./file-hooks-sandbox.ts";

describe("order", () => {
  test("code hooks and file hooks have one order: priority, then position, then user before project, then name", async () => {
    const sandbox = new FileHooksSandbox();
    const log = join(sandbox.root, "order");
    const note = (name: string) => `cat >/dev/null; echo ${name} >> ${log}`;
    sandbox.hook(sandbox.projectHooks, "b-project", {}, note("b-project"));
    sandbox.hook(sandbox.projectHooks, "a-project", {}, note("a-project"));
    sandbox.hook(sandbox.userHooks, "z-user", {}, note("z-user"));
    sandbox.hook(sandbox.userHooks, "urgent", { priority: 999 }, note("urgent"));
    sandbox.hook(sandbox.userHooks, "last", { priority: 0 }, note("last"));
    await sandbox.trustAll();
    const hooks = sandbox.hooks();
    const mark = (name: string) => () => writeFileSync(log, `${name}\n`, { flag: "a" });
    hooks.on("before_tool", mark("code"));
    hooks.on("before_tool", mark("code-high"), { priority: 500 });
    hooks.on("before_tool", mark("code-low"), { priority: -500 });
    await sandbox.shell(hooks);
    // 999 enters the engine as 899, the default as 0, 0 as -100.
    expect(readFileSync(log, "utf8").trim().split("\n")).toEqual([
      "urgent",
      "code-high",
      "z-user",
      "a-project",
      "b-project",
      "code",
      "last",
      "code-low",
    ]);
  });

  test("a file hook's change is judged by code hooks, and a code hook's by file hooks", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(
      sandbox.userHooks,
      "rewriter",
      { priority: 500 },
      `cat >/dev/null; echo '{"modified_input":{"command":"rm -rf /"}}'`,
    );
    const hooks = sandbox.hooks();
    hooks.on("before_tool", () => block("judged in code"), { matcher: { pattern: "rm -rf" } });
    expect((await sandbox.shell(hooks)).reason).toBe("judged in code");

    const other = new FileHooksSandbox();
    other.hook(other.userHooks, "guard", { priority: 900, matcher: { pattern: "rm -rf" } }, DENY);
    const later = other.hooks();
    later.on("before_tool", () => proceed({ toolInput: { command: "rm -rf /" } }));
    expect((await other.shell(later)).reason).toBe("denied");
  });
});

describe("what a script is given", () => {
  test("the event on stdin, one field a line, context last", async () => {
    const sandbox = new FileHooksSandbox();
    const seen = join(sandbox.root, "seen");
    sandbox.hook(sandbox.userHooks, "reader", {}, `cat > ${seen}`);
    const hooks = sandbox.hooks();
    await hooks.dispatch("before_tool", {
      toolName: "Shell",
      toolInput: { command: "ls" },
      toolUseId: "tool_1",
      sessionId: "sess-1",
      workDir: sandbox.project,
      timestamp: "2026-01-15T10:30:00Z",
      context: { host: "test" },
    });
    expect(readFileSync(seen, "utf8")).toBe(`{
  "event_type": "before_tool",
  "timestamp": "2026-01-15T10:30:00Z",
  "session_id": "sess-1",
  "work_dir": ${JSON.stringify(sandbox.project)},
  "tool_name": "Shell",
  "tool_input": {
    "command": "ls"
  },
  "tool_use_id": "tool_1",
  "context": {
    "host": "test"
  }
}
`);
  });

  test("the event's working directory as its own, and its location in the environment", async () => {
    const sandbox = new FileHooksSandbox();
    const seen = join(sandbox.root, "seen");
    const folder = sandbox.hook(
      sandbox.userHooks,
      "reader",
      {},
      `cat >/dev/null; { pwd -P; echo "$TENTERHOOK_HOOK_DIR"; echo "$TENTERHOOK_PROJECT_DIR"; echo "$TENTERHOOK_SESSION_ID"; echo "$TENTERHOOK_EVENT"; } > ${seen}`,
    );
    mkdirSync(join(sandbox.project, ".agents", "hooks"), { recursive: true });
    const inner = join(sandbox.project, "src");
    mkdirSync(inner);
    const hooks = sandbox.hooks();
    await hooks.dispatch("before_tool", {
      toolName: "Shell",
      toolInput: {},
      sessionId: "sess-1",
      workDir: inner,
    });
    expect(readFileSync(seen, "utf8").trim().split("\n")).toEqual([
      inner,
      folder,
      sandbox.project,
      "sess-1",
      "before_tool",
    ]);
  });

  test("no secrets of the environment, except those its metadata names", async () => {
    const sandbox = new FileHooksSandbox();
    const seen = join(sandbox.root, "seen");
    const script = `cat >/dev/null; env > ${seen}`;
    sandbox.hook(sandbox.userHooks, "reader", { metadata: { env: ["WANTED_TOKEN"] } }, script);
    const secrets = {
      GITHUB_TOKEN: "g",
      OPENAI_API_KEY: "o",
      DB_PASSWORD: "d",
      WANTED_TOKEN: "w",
      HARMLESS: "h",
    };
    Object.assign(process.env, secrets);
    await sandbox.shell(sandbox.hooks());
    for (const name of Object.keys(secrets)) delete process.env[name];
    const env = readFileSync(seen, "utf8");
    expect(env).toMatch(/^WANTED_TOKEN=w$/m);
    expect(env).toMatch(/^HARMLESS=h$/m);
    expect(env).not.toMatch(/GITHUB_TOKEN|OPENAI_API_KEY|DB_PASSWORD/);
  });

  test("one folder per session to keep files in, with any session id", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(
      sandbox.userHooks,
      "counter",
      {},
      `cat >/dev/null; echo x >> "$TENTERHOOK_STATE_DIR/count"; wc -l < "$TENTERHOOK_STATE_DIR/count"`,
    );
    const hooks = sandbox.hooks();
    for (const sessionId of ["a", "a", "../../../etc"]) {
      await hooks.dispatch("before_tool", {
        toolName: "Shell",
        toolInput: {},
        sessionId,
        workDir: sandbox.project,
      });
    }
    expect(sandbox.logged).toEqual(["counter: 1", "counter: 2", "counter: 1"]);
    const sessions = join(sandbox.home, ".local", "state", "tenterhook", "sessions");
    expect(readFileSync(join(sessions, "a", "count"), "utf8")).toBe("x\nx\n");
    expect(statSync(sessions).isDirectory()).toBe(true);
  });
});

describe("the body of a HOOK.md", () => {
  test("is in the trace and in the API, as it was when the hook's event fired, and anew after a change", async () => {
    const sandbox = new FileHooksSandbox();
    const folder = sandbox.hook(sandbox.userHooks, "guard", {}, "exit 0");
    const fileHooks = sandbox.fileHooks();
    const hooks = createHooks();
    fileHooks.attach(hooks);
    const first = await sandbox.shell(hooks);
    expect(first.trace.entries[0]?.body).toBe("# guard");
    const { hooks: found } = await fileHooks.catalogue();
    expect(found.map((hook) => fileHooks.body(hook))).toEqual(["# guard"]);
    const file = join(folder, "HOOK.md");
    sandbox.write(file, readFileSync(file, "utf8").replace("# guard", "# A guard\n\n---\n\nIt guards."));
    expect((await sandbox.shell(hooks)).trace.entries[0]?.body).toBe("# A guard\n\n---\n\nIt guards.");
  });
});

describe("changes", () => {
  test("a new, a changed and a removed hook are seen on the next event", async () => {
    const sandbox = new FileHooksSandbox();
    const hooks = sandbox.hooks();
    expect((await sandbox.shell(hooks)).action).toBe("go_on");
    const folder = sandbox.hook(sandbox.userHooks, "guard", {}, DENY);
    expect((await sandbox.shell(hooks)).reason).toBe("denied");
    sandbox.hook(sandbox.userHooks, "guard", { matcher: { pattern: "rm" } }, DENY);
    expect((await sandbox.shell(hooks)).action).toBe("go_on");
    sandbox.hook(sandbox.userHooks, "guard", {}, "echo 'other words' >&2; exit 2");
    expect((await sandbox.shell(hooks)).reason).toBe("other words");
    rmSync(folder, { recursive: true });
    expect((await sandbox.shell(hooks)).action).toBe("go_on");
  });

  test("events that come at once register a hook once", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.userHooks, "guard", { action: "block", reason: "no" });
    // In the tick of a change, every event reads the files again.
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
    onTestFinished(() => void vi.useRealTimers());
    const hooks = sandbox.hooks();
    const registered: string[] = [];
    hooks.onHookEvent(({ type, hookName }) => type === "hook:registered" && registered.push(hookName));
    const dispatches = await Promise.all([sandbox.shell(hooks), sandbox.shell(hooks), sandbox.shell(hooks)]);
    expect(dispatches.map(({ action }) => action)).toEqual(["refuse", "refuse", "refuse"]);
    expect(registered).toEqual(["guard"]);
  });

  test("no hook is registered any more once they are detached, also while an event waits for them", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.userHooks, "guard", { action: "block", reason: "no" });
    const hooks = createHooks();
    const detach = sandbox.fileHooks().attach(hooks);
    const dispatching = sandbox.shell(hooks);
    detach();
    expect((await dispatching).action).toBe("go_on");
    expect(hooks.list()).toEqual([]);
  });

  test("a user's hooks.toml disables and adjusts user and project hooks", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.userHooks, "guard", {}, DENY);
    sandbox.hook(sandbox.projectHooks, "broken", {}, "exit 1");
    await sandbox.trustAll();
    const hooks = sandbox.hooks();
    expect((await sandbox.shell(hooks)).reason).toBe("denied");
    sandbox.write(
      join(sandbox.userHooks, "hooks.toml"),
      `[hooks.guard]\nenabled = false\n[hooks.broken]\non_error = "block"\n`,
    );
    expect((await sandbox.shell(hooks)).reason).toMatch(/hook "broken".*exit code 1/);
  });

  test("a malformed hook is reported by file, line and field, and the others run", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.userHooks, "bad", { trigger: "before_tol", timeout: 5 }, DENY);
    sandbox.hook(sandbox.userHooks, "guard", {}, DENY);
    expect((await sandbox.shell(sandbox.hooks())).reason).toBe("denied");
    const file = join(sandbox.userHooks, "bad", "HOOK.md");
    expect(sandbox.logged.join("\n")).toContain(
      `${file}:5: error: timeout must be at least 100 (milliseconds)`,
    );
  });
});

describe("failing", () => {
  test("a failing hook lets the operation proceed by default, and is reported", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.userHooks, "broken", {}, "echo 'no disk' >&2; exit 7");
    expect((await sandbox.shell(sandbox.hooks())).action).toBe("go_on");
    expect(sandbox.reported.join()).toMatch(/hook "broken" on before_tool: .*exit code 7.*no disk/);
  });

  test("with on_error block a failing hook refuses, and the reason contains its failure", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.userHooks, "broken", { on_error: "block" }, "exit 7");
    const dispatch = await sandbox.shell(sandbox.hooks());
    expect(dispatch).toMatchObject({ action: "refuse", hook: "broken", error: { code: "hook_exit" } });
  });

  test("a process whose time is up is ended with its children", async () => {
    const sandbox = new FileHooksSandbox();
    const pids = join(sandbox.root, "pids");
    const hasBegun = () => (statSync(pids, { throwIfNoEntry: false })?.size ?? 0) > 1;
    // A machine under load may need more time to start the script.
    for (let timeout = 200; !hasBegun() && timeout < 60_000; timeout *= 4) {
      sandbox.hook(sandbox.userHooks, "slow", { timeout }, `sleep 60 &\necho $! > ${pids}\nwait`);
      await sandbox.shell(sandbox.hooks());
      expect(sandbox.reported.join()).toContain(`within ${timeout} ms`);
    }
    const pid = Number(readFileSync(pids, "utf8"));
    // SIGTERM has been sent when the dispatch returns; the kernel may take a moment.
    await expect.poll(() => isAlive(pid), { interval: 20 }).toBe(false);
  });

  test("cancelling the dispatch ends the process", async () => {
    const sandbox = new FileHooksSandbox();
    const pids = join(sandbox.root, "pids");
    sandbox.hook(sandbox.userHooks, "slow", {}, `echo $$ > ${pids}\nsleep 60`);
    const controller = new AbortController();
    const asked = sandbox.shell(sandbox.hooks(), "ls", { signal: controller.signal });
    await expect.poll(() => statSync(pids, { throwIfNoEntry: false })?.size ?? 0).toBeGreaterThan(1);
    controller.abort(new Error("escape"));
    expect((await asked).reason).toBe("cancelled: escape");
    await expect.poll(() => isAlive(Number(readFileSync(pids, "utf8")))).toBe(false);
  });
});

describe("odd surroundings", () => {
  test("a guard runs although its state folder cannot be written", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.userHooks, "guard", {}, `[ -d "$TENTERHOOK_STATE_DIR" ] && ${DENY}`);
    const hooks = sandbox.hooks({ env: { ...sandbox.env, XDG_STATE_HOME: "/dev/null/nowhere" } });
    expect((await sandbox.shell(hooks)).reason).toBe("denied");
  });

  test("a HOOK.md that is a pipe is reported without waiting for it", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.userHooks, "guard", {}, DENY);
    const odd = join(sandbox.userHooks, "odd");
    mkdirSync(odd);
    execFileSync("mkfifo", [join(odd, "HOOK.md")]);
    expect((await sandbox.shell(sandbox.hooks())).reason).toBe("denied");
    expect(sandbox.logged.join()).toMatch(/odd.HOOK.md.*it is not a file/);
  });

  test("a file where a folder of hooks could be is ignored", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.write(join(sandbox.project, ".agents"), "x");
    expect((await sandbox.shell(sandbox.hooks())).action).toBe("go_on");
  });

  test("sessions that ended long ago are removed", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.userHooks, "quiet", {}, "exit 0");
    const sessions = join(sandbox.home, ".local", "state", "tenterhook", "sessions");
    mkdirSync(join(sessions, "old"), { recursive: true });
    mkdirSync(join(sessions, "recent"), { recursive: true });
    utimesSync(join(sessions, "old"), new Date(0), new Date(0));
    await sandbox.shell(sandbox.hooks());
    expect(readdirSync(sessions).sort()).toEqual(["recent", "sess-1"]);
  });

  test("explain sees file hooks once they are prepared, and runs none", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.userHooks, "guard", { matcher: { tool: "Shell" } }, DENY);
    const hooks = sandbox.hooks();
    await hooks.prepare("before_tool");
    const { hooks: explained } = hooks.explain("before_tool", { toolName: "Shell", toolInput: {} });
    expect(explained.map(({ hook, runs }) => [hook.name, runs])).toEqual([["guard", true]]);
  });
});

describe("async hooks", () => {
  test("do not hold the operation, cannot block it, and are drained", async () => {
    const sandbox = new FileHooksSandbox();
    const [gate, done] = [join(sandbox.root, "gate"), join(sandbox.root, "done")];
    sandbox.hook(
      sandbox.userHooks,
      "formatter",
      { async: true },
      `cat >/dev/null; until [ -e ${gate} ]; do sleep 0.05; done; touch ${done}; exit 2`,
    );
    const hooks = sandbox.hooks();
    expect((await sandbox.shell(hooks)).action).toBe("go_on");
    expect(statSync(done, { throwIfNoEntry: false })).toBeUndefined();
    writeFileSync(gate, "");
    expect(await hooks.drain({ timeoutMs: 60_000 })).toBe(true);
    expect(statSync(done).isFile()).toBe(true);
  });

  test("are logged, output and errors, and their exit 2 is recorded as a refusal that came too late", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.userHooks, "late", { async: true }, "echo looked; echo 'too big' >&2; exit 2");
    const hooks = sandbox.hooks();
    const ended: string[] = [];
    hooks.instrument(({ name }) => ({
      run: (work) => work(),
      end: ({ verdict, action, reason }) => ended.push([name, verdict, action, reason].join(" ")),
    }));
    await sandbox.shell(hooks);
    await hooks.drain();
    expect(sandbox.logged).toEqual(["late: looked", "late: too big", "late: it refused too late: too big"]);
    expect(ended).toEqual(["late block record too big"]);
  });

  test("cannot delay a host that exits beyond its time limit, and are ended", async () => {
    const sandbox = new FileHooksSandbox();
    const pids = join(sandbox.root, "pids");
    sandbox.hook(sandbox.userHooks, "endless", { async: true }, `echo $$ > ${pids}; sleep 60`);
    const hooks = sandbox.hooks();
    await sandbox.shell(hooks);
    await expect.poll(() => statSync(pids, { throwIfNoEntry: false })?.size ?? 0).toBeGreaterThan(1);
    const started = performance.now();
    expect(await hooks.close({ timeoutMs: 100 })).toBe(1);
    expect(performance.now() - started).toBeLessThan(20_000);
    await expect.poll(() => isAlive(Number(readFileSync(pids, "utf8")))).toBe(false);
  });

  test("do not start when something blocked, except with always", async () => {
    const sandbox = new FileHooksSandbox();
    const log = join(sandbox.root, "log");
    sandbox.write(log, "");
    sandbox.hook(sandbox.userHooks, "guard", {}, DENY);
    sandbox.hook(sandbox.userHooks, "notifier", { async: true }, `echo notifier >> ${log}`);
    sandbox.hook(
      sandbox.userHooks,
      "auditor",
      { async: true, always: true },
      `grep -o '"outcome": "[a-z]*"' >> ${log}`,
    );
    const hooks = sandbox.hooks();
    await sandbox.shell(hooks);
    await hooks.drain();
    expect(readFileSync(log, "utf8")).toBe('"outcome": "block"\n');
  });
});
