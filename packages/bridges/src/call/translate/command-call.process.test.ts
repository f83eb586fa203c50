import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findLocations } from "@tenterhook/file-hooks";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { loadClients } from "../../clients/index.ts";
import type { Path } from "../../definition/events.ts";
import { BridgeSandbox } from "../../testing/bridge-sandbox.ts";
import { fixtures } from "../../testing/fixtures.ts";
import { mayMatch, readPlan } from "../match/plan-file.ts";
import { readPayload } from "../read/read-call.ts";
import { translate } from "./translate.ts";

// A minute after the hooks were written: a plan is not stored in the moment of a change.
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 }));
afterEach(() => void vi.useRealTimers());

const BASH = "claude/PreToolUse.Bash";
const GUARD = ["matcher: { tool: ^Shell$, pattern: 'rm -rf' }", "action: block", "reason: not here"];
const mcp = (tool_input: object, tool_name = "mcp__box__run") => ({ tool_name, tool_input });
const clients = await loadClients();

/** A payload with a value at the first of some paths that it has. */
function withValue(payload: object, path: Path, value: unknown): object {
  const paths = typeof path === "string" ? [path] : path;
  const copy = structuredClone(payload) as Record<string, unknown>;
  for (const each of paths) {
    const keys = each.split(".");
    let at: Record<string, unknown> | undefined = copy;
    for (const key of keys.slice(0, -1)) at = at?.[key] as Record<string, unknown> | undefined;
    const last = keys.at(-1) ?? "";
    if (at === undefined || !Object.hasOwn(at, last)) continue;
    at[last] = value;
  }
  return copy;
}

describe.each(clients.map((client) => [client.name, client] as const))("in %s", (_, client) => {
  const fixture = fixtures().find(
    ({ client: id, event }) =>
      id === client.id &&
      client.events[client.eventAliases?.[event] ?? event]?.events.includes("before_tool"),
  );

  async function refusal(toolInput: object, isKept: boolean): Promise<boolean> {
    if (fixture === undefined) throw new Error(`${client.name} has no recorded call`);
    const sandbox = new BridgeSandbox();
    sandbox.hook("guard", { fields: GUARD });
    if (isKept) {
      // The first call stores the guards, which is a change; the second one stores the plan.
      await sandbox.send(fixture.name);
      await sandbox.send(fixture.name);
      expect(readPlan([findLocations(sandbox.project, { HOME: sandbox.home })])).toBeDefined();
    }
    const fields = { ...client.fields, ...client.events[fixture.event]?.fields };
    const named = withValue(sandbox.payload(fixture.name), fields.toolName, "box_run_anything");
    const stdin = JSON.stringify(withValue(named, fields.toolInput, toolInput));
    await sandbox.send(fixture.name, {}, { stdin });
    return sandbox.log.some(
      ({ reason, entries }) => reason === "not here" && entries[0]?.matched_as === "Shell",
    );
  }

  test.each([{ command: "rm -rf x" }, { cmd: "rm -rf x" }, { script: ["rm", "-rf", "x"] }])(
    "a guard of Shell refuses an unknown tool with %j, with and without a kept plan",
    async (input) => {
      expect(await refusal(input, false)).toBe(true);
      expect(await refusal(input, true)).toBe(true);
    },
  );

  test("a guard of Shell is not asked about an unknown tool without a command", async () => {
    expect(await refusal({ text: "rm -rf x" }, true)).toBe(false);
  });
});

test.each([
  ["claude/PreToolUse.Monitor", {}],
  ["qwen/PreToolUse.monitor", {}],
  [
    "qwen/PreToolUse.monitor",
    { tool_name: "tool_call", tool_input: { name: "monitor", arguments: { command: "FORBIDDEN" } } },
  ],
  [
    "qwen/PreToolUse.monitor",
    { tool_name: "tool_call", tool_input: { name: "monitor", arguments: '{"command":"FORBIDDEN"}' } },
  ],
  [
    "qwen/PreToolUse.monitor",
    { tool_name: "tool_call", tool_input: { name: "mcp__a__b", arguments: { cmd: "FORBIDDEN" } } },
  ],
])("%s is a call of Shell (%j)", async (name, changes) => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("guard", {
    fields: ["matcher: { tool: ^Shell$, pattern: FORBIDDEN }", "action: block", "reason: not here"],
  });
  expect(await sandbox.send(name, changes)).toMatchObject({ exit: 2, stderr: "not here\n" });
});

test.each([
  ["names no tool", { arguments: { command: "x" } }],
  ["has arguments that are no object", { name: "monitor", arguments: "rm -rf" }],
  ["calls itself", { name: "tool_call", arguments: { name: "monitor", arguments: {} } }],
])(
  "a call through a wrapper that %s is refused where a hook might have refused it",
  async (_, tool_input) => {
    const sandbox = new BridgeSandbox();
    sandbox.hook("guard", { fields: ["matcher: { tool: Shell }"], script: "exit 0" });
    const { exit } = await sandbox.send("qwen/PreToolUse.monitor", { tool_name: "tool_call", tool_input });
    expect(exit).toBe(2);
  },
);

test("a notebook of Qwen is a file that is edited", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("guard", {
    fields: ["matcher: { tool: EditFile, pattern: 'ipynb$' }", "action: block", "reason: no notebooks"],
  });
  expect(await sandbox.send("qwen/PreToolUse.notebook_edit")).toMatchObject({ exit: 2 });
});

test("a Monitor that watches a WebSocket keeps its own name", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("guard", { fields: ["matcher: { tool: Shell }", "action: block", "reason: no"] });
  const ws = { description: "x", timeout_ms: 1, ws: { url: "wss://example.com" } };
  expect(await sandbox.send(BASH, mcp(ws, "Monitor"))).toMatchObject({ exit: 0, stdout: "" });
});

test("a line of PowerShell is read in that language, which only the client's name of the tool tells", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("guard", {
    fields: ["matcher: { effect: power, unreadable: pass }", "action: block", "reason: no"],
  });
  const send = async (toolName: string) => {
    const call = { toolName, toolArgs: { command: "Restart-Computer" } };
    return (await sandbox.send("copilot/preToolUse.bash", call)).stdout;
  };
  expect(await send("powershell")).toContain("it stops or restarts the machine (Restart-Computer)");
  expect(await send("bash")).not.toContain("restarts");
});

test("a hook that found the tool by its alias reads Shell and the command; one of the tool's name reads that", async () => {
  const sandbox = new BridgeSandbox();
  const keep = (name: string, tool: string) =>
    sandbox.hook(name, {
      fields: [`matcher: { tool: '${tool}' }`],
      script: `cat > "${sandbox.root}/${name}"`,
    });
  keep("shell", "^Shell$");
  keep("own", "^mcp__box__run$");
  keep("both", "Shell|mcp__");
  await sandbox.send(BASH, mcp({ cmd: "ls", cwd: "/" }));
  const event = (name: string) => JSON.parse(readFileSync(join(sandbox.root, name), "utf8"));
  const tool_input = { cmd: "ls", cwd: "/", command: "ls" };
  expect(event("shell")).toMatchObject({ tool_name: "Shell", tool_aliases: ["mcp__box__run"], tool_input });
  expect(event("own")).toMatchObject({ tool_name: "mcp__box__run", tool_aliases: ["Shell"], tool_input });
  expect(event("both")).toMatchObject({ tool_name: "mcp__box__run", tool_input });
  expect(event("shell").context.native).toMatchObject({
    tool_name: "mcp__box__run",
    tool_input: { cmd: "ls", cwd: "/" },
  });
});

test("hooks of both names run once each, in the order of their priorities, and the log says by which name", async () => {
  const sandbox = new BridgeSandbox();
  const note = (name: string, tool: string, priority: number) =>
    sandbox.hook(name, {
      fields: [`matcher: { tool: '${tool}' }`, `priority: ${priority}`],
      script: `echo ${name} >> "${sandbox.root}/asked"`,
    });
  note("last", "mcp__box", 10);
  note("first", "^Shell$", 300);
  note("both", "Shell|run", 200);
  await sandbox.send(BASH, mcp({ script: "ls" }));
  expect(readFileSync(join(sandbox.root, "asked"), "utf8")).toBe("first\nboth\nlast\n");
  expect(sandbox.log).toMatchObject([
    {
      tool_name: "mcp__box__run",
      native_tool: "mcp__box__run",
      entries: [{ hook: "first", matched_as: "Shell" }, { hook: "both" }, { hook: "last" }],
    },
  ]);
  expect(sandbox.log[0]?.entries.map(({ matched_as }) => matched_as)).toEqual([
    "Shell",
    undefined,
    undefined,
  ]);
});

test("a matcher that excludes Shell still matches the tool's own name", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("guard", { fields: ["matcher: { tool: '^[^S]' }", "action: block", "reason: own name"] });
  expect(await sandbox.send(BASH, mcp({ command: "ls" }))).toMatchObject({ stderr: "own name\n" });
});

describe("a hook of Shell that changes the command", () => {
  const rewrite = (reply: object) => ({
    fields: ["matcher: { tool: ^Shell$ }", "metadata: { can_approve: true }"],
    script: `echo '${JSON.stringify({ modified_input: reply })}'`,
  });
  const rewritten = (stdout: string) => JSON.parse(stdout).hookSpecificOutput.updatedInput;

  test.each([
    [
      "the argument of another name",
      { cmd: "rm", cwd: "/" },
      { command: "ls", cmd: "rm", cwd: "/" },
      { cmd: "ls", cwd: "/" },
    ],
    ["an argument that the reply leaves out", { cmd: "rm" }, { command: "ls" }, { cmd: "ls" }],
    [
      "the argument itself",
      { command: "rm", cwd: "/" },
      { command: "ls", cwd: "/" },
      { command: "ls", cwd: "/" },
    ],
    [
      "another argument",
      { cmd: "rm", cwd: "/" },
      { command: "rm", cmd: "rm", cwd: "/x" },
      { cmd: "rm", cwd: "/x" },
    ],
    ["both to the same", { cmd: "rm" }, { command: "ls", cmd: "ls" }, { cmd: "ls" }],
    [
      "another argument beside a list",
      { command: ["rm"], cwd: "/" },
      { command: "rm", native_command: ["rm"], cwd: "/x" },
      { command: ["rm"], cwd: "/x" },
    ],
  ])("changes %s", async (_, input, reply, expected) => {
    const sandbox = new BridgeSandbox();
    sandbox.hook("safe", rewrite(reply));
    expect(rewritten((await sandbox.send(BASH, mcp(input))).stdout)).toEqual(expected);
  });

  test.each([
    ["a list", { command: ["rm", "x"] }, { command: "ls" }],
    ["a list of another name", { cmd: ["rm", "x"] }, { command: "ls", cmd: ["rm", "x"] }],
    ["a nested command", { input: { command: "rm" } }, { command: "ls", input: { command: "rm" } }],
    ["one of two commands", { command: "rm", script: "x" }, { command: "ls", script: "x" }],
    ["two arguments differently", { cmd: "rm" }, { command: "ls", cmd: "cat" }],
    ["a text into a number", { cmd: "rm" }, { command: 5, cmd: "rm" }],
  ])("is refused where it would change %s", async (_, input, reply) => {
    const sandbox = new BridgeSandbox();
    sandbox.hook("safe", rewrite(reply));
    const { exit, stderr } = await sandbox.send(BASH, mcp(input));
    expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining("safe") });
  });

  test("is refused where a hook of the tool's own name has only seen the old one", async () => {
    const sandbox = new BridgeSandbox();
    sandbox.hook("safe", rewrite({ command: "ls", cmd: "rm" }));
    sandbox.hook("own", { fields: ["matcher: { tool: mcp__box }"], script: "exit 0" });
    expect(await sandbox.send(BASH, mcp({ cmd: "rm" }))).toMatchObject({ exit: 2 });
  });

  test("is checked again by a guard that came before", async () => {
    const sandbox = new BridgeSandbox();
    sandbox.hook("guard", { fields: [...GUARD, "priority: 900"] });
    sandbox.hook("safe", rewrite({ command: "rm -rf x" }));
    expect(await sandbox.send(BASH, mcp({ cmd: "ls" }))).toMatchObject({ exit: 2, stderr: "not here\n" });
  });
});

test.each([
  ["Shell", "mcp__box__Shell"],
  ["Bash", "mcp__box__Bash"],
  ["a name with dots", "box.run.now"],
  ["a name with slashes", "box/run"],
  ["an empty server", "mcp____run"],
])("a tool called %s is found by its command", async (_, name) => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("guard", { fields: GUARD });
  expect(await sandbox.send(BASH, mcp({ Command: "rm -rf x" }, name))).toMatchObject({ exit: 2 });
});

test("a tool that Gemini names as one of an MCP server is not its own shell, and still a command", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("own", { fields: ["matcher: { tool: ^mcp__box__ }", "action: block", "reason: own"] });
  const context = { mcp_context: { server_name: "box", tool_name: "run_shell_command" } };
  const call = { tool_name: "run_shell_command", tool_input: { command: "rm -rf x" }, ...context };
  const { stdout, stderr } = await sandbox.send("gemini/BeforeTool.run_shell_command", call);
  expect(stdout + stderr).toContain("own");
  const other = new BridgeSandbox();
  other.hook("guard", { fields: GUARD });
  const guarded = await other.send("gemini/BeforeTool.run_shell_command", call);
  expect(guarded.stdout + guarded.stderr).toContain("not here");
});

test("a list of words in Codex's own shell is a command line", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("guard", { fields: GUARD });
  const call = { tool_name: "shell", tool_input: { command: ["rm", "-rf", "x"] } };
  expect(await sandbox.send("codex/PreToolUse.Bash", call)).toMatchObject({ exit: 2 });
});

test("a background hook of Shell runs after a call of an unknown tool with a command", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("audit", {
    trigger: "after_tool",
    fields: ["matcher: { tool: ^Shell$ }", "async: true"],
    script: "true",
  });
  await sandbox.send("claude/PostToolUse.Bash", mcp({ cmd: "ls" }));
  expect(sandbox.jobs).toHaveLength(1);
  expect(existsSync(sandbox.jobs[0] ?? "")).toBe(true);
});

test("a kept plan passes an unknown tool with a harmless command by without the hooks", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("guard", { fields: ["matcher: { tool: Shell, pattern: FORBIDDEN }"], script: "exit 2" });
  await sandbox.send(BASH);
  await sandbox.send(BASH);
  const client = clients.find(({ id }) => id === "claude");
  const plan = readPlan([findLocations(sandbox.project, { HOME: sandbox.home })]);
  const mayBeAsked = (cmd: string) => {
    if (client === undefined || plan === undefined) throw new Error("there is no plan");
    const stdin = JSON.stringify(sandbox.payload(BASH, mcp({ cmd })));
    return mayMatch(plan.hooks, translate(readPayload(client, "PreToolUse", stdin, sandbox.project)));
  };
  expect([mayBeAsked("ls"), mayBeAsked("FORBIDDEN")]).toEqual(["no", "maybe"]);
});
