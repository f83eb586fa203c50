import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { block, proceed } from "@tenterhook/protocol";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { createHooks } from "../hooks.ts";
import { type AuditLogOptions, auditLog } from "./audit-log.ts";
import { toolPolicy } from "./tool-policy.ts";

const CALL = { toolName: "Shell", toolInput: { command: "ls" }, sessionId: "s-1" };

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

type Line = Record<string, unknown> & { entries: Record<string, unknown>[] };

async function linesOf(path: string): Promise<Line[]> {
  const text = await readFile(path, "utf8");
  expect(text.endsWith("\n")).toBe(true);
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}

describe("a line", () => {
  test("has the hooks that were called, their answers, and the verdict", async () => {
    const hooks = createHooks();
    const path = join(folder, "audit.jsonl");
    const log = auditLog(hooks, { path, now: () => 0 });
    hooks.on("before_tool", function watch() {}, { priority: 1 });
    toolPolicy(hooks, { deny: ["Shell(rm *)"] });
    await hooks.dispatch("before_tool", { ...CALL, toolInput: { command: "rm x" } });
    await log.flush();
    const [line] = await linesOf(path);
    expect(line).toMatchObject({
      time: "1970-01-01T00:00:00.000Z",
      event: "before_tool",
      session_id: "s-1",
      tool_name: "Shell",
      outcome: "block",
      action: "refuse",
      decided_by: "tool-policy",
      reason: "The tool policy denies Shell(rm *), and this call is one.",
      entries: [
        { hook: "watch", verdict: "proceed", action: "go_on", duration_ms: expect.any(Number) },
        { hook: "tool-policy", verdict: "block", action: "refuse" },
      ],
    });
  });

  test("shows every change before and after, second judgements and failures", async () => {
    const hooks = createHooks();
    const path = join(folder, "audit.jsonl");
    const log = auditLog(hooks, { path });
    hooks.on(
      "before_tool",
      function careless() {
        throw new Error("oops");
      },
      { onError: "continue" },
    );
    hooks.on("before_tool", function dry() {
      return proceed({ toolInput: { command: "ls --dry" } });
    });
    const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    await hooks.dispatch("before_tool", CALL);
    warned.mockRestore();
    await log.flush();
    const [line] = await linesOf(path);
    expect(line?.entries).toMatchObject([
      { hook: "careless", verdict: "failed", error: "hook_threw" },
      {
        hook: "dry",
        changes: [{ field: "toolInput", before: { command: "ls" }, after: { command: "ls --dry" } }],
      },
      { hook: "careless", judging: true },
    ]);
  });

  test("is redacted unless that is refused", async () => {
    const hooks = createHooks();
    const lines: string[] = [];
    const raw: string[] = [];
    const logs = [
      auditLog(hooks, { write: (line) => void lines.push(line) }),
      auditLog(hooks, { write: (line) => void raw.push(line), redact: false }),
    ];
    hooks.on("before_tool", () => block("jane@example.com may not"));
    hooks.on("before_tool", () => proceed({ toolInput: { password: "hunter2", to: "jane@example.com" } }), {
      priority: 1,
    });
    await hooks.dispatch("before_tool", CALL);
    for (const log of logs) await log.flush();
    expect(lines.join("")).not.toMatch(/jane@example|hunter2/);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ reason: "[redacted:email] may not" });
    expect(raw.join("")).toMatch(/jane@example.*hunter2|hunter2.*jane@example/);
  });

  test("is written even when a value cannot be JSON", async () => {
    const hooks = createHooks();
    const path = join(folder, "audit.jsonl");
    const log = auditLog(hooks, { path });
    const cycle: Record<string, unknown> = {
      big: 1n,
      when: new Date(0),
      call: () => {},
      bytes: Buffer.alloc(3),
    };
    cycle.self = cycle;
    hooks.on("before_tool", () => proceed({ toolInput: cycle }));
    await hooks.dispatch("before_tool", CALL);
    await log.flush();
    const [line] = await linesOf(path);
    expect(line?.entries[0]).toMatchObject({
      changes: [
        {
          after: {
            big: "1n",
            when: "1970-01-01T00:00:00.000Z",
            call: "[function]",
            bytes: "[3 bytes]",
            self: "[circular]",
          },
        },
      ],
    });
  });

  test("is replaced by a mark when it cannot be redacted", async () => {
    const hooks = createHooks();
    const lines: string[] = [];
    const redact = { detect: [], custom: { slow: "a.*b|a" } };
    const log = auditLog(hooks, { write: (line) => void lines.push(line), redact });
    hooks.on("before_tool", () => block("a".repeat(1_000_000)));
    await hooks.dispatch("before_tool", CALL);
    await log.flush();
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      event: "before_tool",
      action: "refuse",
      unreadable: true,
    });
  });
});

describe("the file", () => {
  test("holds the lines of many dispatches in the order in which they ended", async () => {
    const hooks = createHooks();
    const path = join(folder, "audit.jsonl");
    const log = auditLog(hooks, { path });
    hooks.on("before_tool", () => {});
    const order = Array.from({ length: 200 }, (_, index) => `tool-${index}`);
    for (const [index, toolName] of order.entries()) {
      await hooks.dispatch("before_tool", { ...CALL, toolName });
      if (index % 50 === 0) await log.flush();
    }
    await log.flush();
    expect((await linesOf(path)).map(({ tool_name }) => tool_name)).toEqual(order);
  });

  test("is readable by its owner only, also when it existed before", async () => {
    const hooks = createHooks();
    const paths = [join(folder, "new.jsonl"), join(folder, "old.jsonl")] as const;
    await writeFile(paths[1], "", { mode: 0o644 });
    const logs = paths.map((path) => auditLog(hooks, { path }));
    hooks.on("before_tool", () => {});
    await hooks.dispatch("before_tool", CALL);
    for (const log of logs) await log.flush();
    for (const path of paths) expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test("is rotated when it is full, and the oldest one is dropped", async () => {
    const hooks = createHooks();
    const path = join(folder, "audit.jsonl");
    const log = auditLog(hooks, { path, maxBytes: 1_000, keep: 2 });
    hooks.on("before_tool", () => {});
    for (let index = 0; index < 40; index++) {
      await hooks.dispatch("before_tool", { ...CALL, toolName: `tool-${index}` });
      if (index % 7 === 0) await log.flush();
    }
    await log.flush();
    const files = (await readdir(folder)).toSorted();
    expect(files).toEqual(["audit.jsonl", "audit.jsonl.1", "audit.jsonl.2"]);
    for (const file of files) expect((await stat(join(folder, file))).size).toBeLessThanOrEqual(1_000);
    const names: unknown[] = [];
    for (const file of files.toReversed()) {
      for (const { tool_name } of await linesOf(join(folder, file))) names.push(tool_name);
    }
    const last = Array.from({ length: names.length }, (_, index) => `tool-${40 - names.length + index}`);
    expect(names).toEqual(last);
  });

  test("keeps no rotated file with keep: 0, and gives a line that is too long a file of its own", async () => {
    const hooks = createHooks();
    const path = join(folder, "audit.jsonl");
    const log = auditLog(hooks, { path, maxBytes: 10, keep: 0 });
    hooks.on("before_tool", () => {});
    for (const toolName of ["first", "second"]) await hooks.dispatch("before_tool", { ...CALL, toolName });
    await log.flush();
    expect(await readdir(folder)).toEqual(["audit.jsonl"]);
    expect((await linesOf(path)).map(({ tool_name }) => tool_name)).toEqual(["second"]);
  });
});

describe("a log that cannot be written", () => {
  test.each(["missing/audit.jsonl", "file/audit.jsonl", "."])(
    "at %s does not disturb the dispatch and is reported once",
    async (name) => {
      await writeFile(join(folder, "file"), "");
      const hooks = createHooks();
      const errors: unknown[] = [];
      const log = auditLog(hooks, { path: join(folder, name), onError: (error) => errors.push(error) });
      hooks.on("before_tool", () => {});
      for (let index = 0; index < 3; index++) {
        expect((await hooks.dispatch("before_tool", CALL)).action).toBe("go_on");
        await log.flush();
      }
      expect(errors).toHaveLength(1);
    },
  );

  test("is a process warning without onError", async () => {
    const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const hooks = createHooks();
    const log = auditLog(hooks, { path: join(folder, "missing", "audit.jsonl") });
    hooks.on("before_tool", () => {});
    await hooks.dispatch("before_tool", CALL);
    await log.flush();
    expect(warned).toHaveBeenCalledTimes(1);
    expect(warned.mock.calls[0]?.[0]).toContain("lines are lost");
    warned.mockRestore();
  });

  test("continues with the next line, and reports again after a success", async () => {
    const hooks = createHooks();
    const errors: unknown[] = [];
    const taken: string[] = [];
    let works = true;
    const write = async (line: string): Promise<void> => {
      if (!works) throw new Error("gone");
      taken.push(line);
    };
    const log = auditLog(hooks, { write, onError: (error) => errors.push(error) });
    hooks.on("before_tool", () => {});
    for (works of [true, false, false, true, false]) {
      await hooks.dispatch("before_tool", CALL);
      await log.flush();
    }
    expect([taken.length, errors.length]).toEqual([2, 2]);
  });
});

describe("auditLog", () => {
  test("calls `write` with one line at a time, and waits for it", async () => {
    const hooks = createHooks();
    let running = 0;
    let most = 0;
    const write = async (line: string): Promise<void> => {
      expect(line).toMatch(/^\{.*\}\n$/);
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
    };
    const log = auditLog(hooks, { write });
    hooks.on("before_tool", () => {});
    for (let index = 0; index < 5; index++) await hooks.dispatch("before_tool", CALL);
    await log.flush();
    expect([most, running]).toEqual([1, 0]);
  });

  test("writes only the given events", async () => {
    const hooks = createHooks();
    const lines: string[] = [];
    const log = auditLog(hooks, { write: (line) => void lines.push(line), events: ["after_tool"] });
    hooks.on(["before_tool", "after_tool"], () => {});
    await hooks.dispatch("before_tool", CALL);
    await hooks.dispatch("after_tool", { ...CALL, toolResult: "" });
    await log.flush();
    expect(lines).toHaveLength(1);
  });

  test("still writes what it recorded before it was unregistered", async () => {
    const hooks = createHooks();
    const lines: string[] = [];
    const log = auditLog(hooks, { write: (line) => void lines.push(line) });
    hooks.on("before_tool", () => {});
    await hooks.dispatch("before_tool", CALL);
    log.unregister();
    await hooks.dispatch("before_tool", CALL);
    await log.flush();
    expect(lines).toHaveLength(1);
  });

  test.each([
    [{}, /either path or write/],
    [{ path: "x", write: () => {} }, /either path or write/],
    [{ path: "x", maxBytes: 0 }, /maxBytes/],
    [{ path: "x", keep: -1 }, /keep/],
    [{ path: "x", events: ["before_tol"] }, /no event "before_tol"/],
    [{ path: "x", redact: { detect: ["mail"] } }, /detect/],
    [{ path: "x", file: "y" }, /no option "file"/],
  ])("refuses %j", (options, message) => {
    expect(() => auditLog(createHooks(), options as AuditLogOptions)).toThrowError(message);
  });
});
