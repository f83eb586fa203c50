import { TenterhookError } from "@tenterhook/protocol";
import { describe, expect, test } from "vitest";
import { createHooks } from "../hooks.ts";
import { type ToolPolicyOptions, toolPolicy } from "./tool-policy.ts";

type Input = Readonly<Record<string, unknown>>;

async function judged(options: ToolPolicyOptions, toolName: string, toolInput: Input, workDir?: string) {
  const hooks = createHooks();
  toolPolicy(hooks, options);
  const where = workDir === undefined ? {} : { workDir };
  return hooks.dispatch("before_tool", { toolName, toolInput: { ...toolInput }, ...where });
}

async function isRefused(options: ToolPolicyOptions, toolName: string, input: Input, workDir?: string) {
  return (await judged(options, toolName, input, workDir)).outcome.type === "block";
}

const shell = (command: unknown): Input => ({ command });

describe("a rule on a path", () => {
  test.each([
    ["src/a.ts", true],
    ["./src/a.ts", true],
    ["src/deep/er/a.ts", true],
    ["lib/../src/a.ts", true],
    ["src//a.ts", true],
    ["/app/src/a.ts", true],
    ["/app/lib/../src/a.ts", true],
    ["src", false],
    ["src/../package.json", false],
    ["src/../../etc/passwd", false],
    ["/etc/passwd", false],
    ["/app/srcs/a.ts", false],
    ["SRC/a.ts", false],
    ["~/src/a.ts", false],
  ])("WriteFile(src/**) as the only allowed one: %s is allowed: %s", async (file_path, allowed) => {
    expect(await isRefused({ allow: ["WriteFile(src/**)"] }, "WriteFile", { file_path }, "/app")).toBe(
      !allowed,
    );
  });

  test.each([
    [".env", "**/.env"],
    ["a/b/.env", "**/.env"],
    ["a/../.env", "**/.env"],
    [".ENV", "**/.env"],
    ["/app/.env", ".env"],
    ["./.env", ".env"],
    ["a\\..\\.env", ".env"],
    ["/app/secrets", "secrets/**"],
    ["secrets/", "secrets/**"],
    ["secrets/deep/key", "./secrets/**"],
    ["../etc/passwd", "/etc/**"],
    ["/etc/./passwd", "/etc/**"],
    ["node_modules/x.js", "**/node_modules/**"],
    ["cafe\u0301.txt", "caf\u00e9.txt"],
  ])("%s is covered by a deny of %s", async (path, glob) => {
    expect(await isRefused({ deny: [`ReadFile(${glob})`] }, "ReadFile", { path }, "/app")).toBe(true);
  });

  test("knows the home folder in the rule and in the call", async () => {
    const home = (await import("node:os")).homedir();
    const options = { deny: ["ReadFile(~/.ssh/**)"] };
    expect(await isRefused(options, "ReadFile", { file_path: "~/.ssh/id_ed25519" })).toBe(true);
    expect(await isRefused(options, "ReadFile", { file_path: `${home}/x/../.ssh/id_ed25519` })).toBe(true);
  });

  test("does not mistake what a file contains for where it is", async () => {
    const input = { file_path: "README.md", content: "never touch a/node_modules/b" };
    expect(await isRefused({ deny: ["WriteFile(**/node_modules/**)"] }, "WriteFile", input)).toBe(false);
  });

  test("takes relative rules from the process's directory when the event names none", async () => {
    const file_path = `${process.cwd()}/secrets/key`;
    expect(await isRefused({ deny: ["ReadFile(secrets/**)"] }, "ReadFile", { file_path })).toBe(true);
  });
});

describe("fields beside the real argument", () => {
  test("do not hide a denied one", async () => {
    const options = { deny: ["Any(/etc/*)", "Any(*DROP TABLE*)"] };
    expect(await isRefused(options, "Any", { file_path: "ok", path: "/etc/passwd" })).toBe(true);
    expect(await isRefused(options, "Any", { command: "ls", path: ["ok", "/etc/passwd"] })).toBe(true);
    expect(await isRefused(options, "Any", { sql: "DROP TABLE users" })).toBe(true);
    expect(await isRefused(options, "Any", { sql: "DROP TABLE users", path: "ok" })).toBe(true);
  });

  test("do not smuggle a call past an allow list", async () => {
    const options = { allow: ["Fetch(https://good.example/*)", "Fetch(src/**)"] };
    expect(await isRefused(options, "Fetch", { url: "https://good.example/x" })).toBe(false);
    expect(await isRefused(options, "Fetch", { url: "https://evil.example/x", path: "src/x" })).toBe(true);
    expect(await isRefused(options, "Fetch", { url: "https://good.example/x", path: "src/x" })).toBe(false);
    expect(await isRefused(options, "Fetch", { file_path: "src/x", path: "/etc/passwd" })).toBe(true);
  });

  test("count when they are all there is, as JSON", async () => {
    const options = { allow: ['query({"sql":"SELECT *"})'] };
    expect(await isRefused(options, "query", { sql: "SELECT 1" })).toBe(false);
    expect(await isRefused(options, "query", { sql: "DROP 1" })).toBe(true);
  });

  test("that JSON cannot express make the policy refuse", async () => {
    const { action, error } = await judged({ deny: ["query(*DROP*)"] }, "query", { id: 10n });
    expect([action, error?.hook]).toEqual(["refuse", "tool-policy"]);
  });
});

describe("a rule on an address or a pattern", () => {
  test.each(["https://evil.example/x", "HTTPS://EVIL.example/x", "https://evil.example:443/x"])(
    "a denied host is denied as %s",
    async (url) => {
      expect(await isRefused({ deny: ["Fetch(https://evil.example/*)"] }, "Fetch", { url })).toBe(true);
    },
  );

  test("does not take a host for an allowed one because of a backslash", async () => {
    const options = { allow: ["Fetch(https://good.example/*)"] };
    expect(await isRefused(options, "Fetch", { url: "https://good.example\\@evil.example/" })).toBe(true);
  });

  test("sees a pattern that climbs out of its folder", async () => {
    expect(await isRefused({ allow: ["Glob(src/*)"] }, "Glob", { pattern: "src/*.ts" })).toBe(false);
    expect(await isRefused({ allow: ["Glob(src/*)"] }, "Glob", { pattern: "src/../../etc/*" })).toBe(true);
    expect(await isRefused({ deny: ["Glob(/etc/*)"] }, "Glob", { pattern: "../etc/*" }, "/app")).toBe(true);
  });
});

describe("toolPolicy", () => {
  test("puts deny before ask, and ask before allow", async () => {
    const all = { deny: ["Shell(rm *)"], ask: ["Shell(git push *)", "Shell(rm *)"], allow: ["Shell"] };
    const { trace: denied } = await judged(all, "Shell", shell("rm x"));
    const { trace: asked } = await judged(all, "Shell", shell("git push origin"));
    const { outcome } = await judged(all, "Shell", shell("git status"));
    expect(denied.entries[0]?.verdict).toBe("block");
    expect(asked.entries[0]?.verdict).toBe("ask");
    expect(outcome.type).toBe("proceed");
  });

  test("passes an ask to the approver and follows the answer", async () => {
    const hooks = createHooks();
    toolPolicy(hooks, { ask: ["mcp__*"] });
    const payload = { toolName: "mcp__github__merge", toolInput: {} };
    const approved = await hooks.dispatch("before_tool", payload, { approve: () => ({ type: "approve" }) });
    const alone = await hooks.dispatch("before_tool", payload);
    expect([approved.action, alone.action]).toEqual(["go_on", "refuse"]);
  });

  test.each([
    [{ deny: ["Shell"] }, "proceed"],
    [{ allow: ["Shell"] }, "block"],
    [{ allow: ["Shell"], default: "proceed" }, "proceed"],
    [{ default: "deny" }, "block"],
    [{ default: "ask" }, "ask"],
  ] as const)("with %j another tool gets %s", async (options, verdict) => {
    const { trace } = await judged(options, "Other", {});
    expect(trace.entries[0]?.verdict).toBe(verdict);
  });

  test("names the rule in its reason, and not the argument", async () => {
    const { reason } = await judged({ deny: ["Shell(rm *)"] }, "Shell", shell("rm -rf /very/private"));
    expect(reason).toContain("Shell(rm *)");
    expect(reason).not.toContain("private");
  });

  test("judges again what a later hook rewrote", async () => {
    const hooks = createHooks();
    toolPolicy(hooks, { deny: ["Shell(rm *)"] });
    hooks.on("before_tool", () => ({ type: "proceed", patch: { toolInput: { command: "rm -rf /" } } }));
    const { action, hook } = await hooks.dispatch("before_tool", {
      toolName: "Shell",
      toolInput: { command: "ls" },
    });
    expect([action, hook]).toEqual(["refuse", "tool-policy"]);
  });

  test.each([
    "",
    "  ",
    "(rm *)",
    "Shell(",
    "Shell(rm *",
    "Shell()",
    "Shell( )",
    "Shell (rm *)",
    "Shell) x",
    7,
    null,
  ])("refuses the rule %j when it is registered", (rule) => {
    const register = () => toolPolicy(createHooks(), { deny: [rule as string] });
    expect(register).toThrowError(expect.objectContaining({ code: "bad_matcher" }));
    expect(register).toThrowError(`the rule ${typeof rule === "string" ? JSON.stringify(rule) : rule} `);
  });

  test("refuses an option that does not exist, and registers nothing", () => {
    const hooks = createHooks();
    const options: object = { denny: ["Shell"] };
    expect(() => toolPolicy(hooks, options)).toThrowError(TenterhookError);
    expect(() => toolPolicy(hooks, { default: "allow" as "deny" })).toThrowError(/default must be/);
    expect(hooks.list()).toEqual([]);
  });

  test("is removed by the function that it returns", async () => {
    const hooks = createHooks();
    const unregister = toolPolicy(hooks, { default: "deny", priority: 7 });
    expect(hooks.list("before_tool")).toMatchObject([{ name: "tool-policy", priority: 7 }]);
    unregister();
    expect(hooks.list()).toEqual([]);
  });
});
