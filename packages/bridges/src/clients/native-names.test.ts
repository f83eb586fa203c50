import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createHooks } from "@tenterhook/engine";
import { FileHooks, findLocations } from "@tenterhook/file-hooks";
import { CANONICAL_TOOLS, canonicalTools, isCanonicalTool, nativeNames } from "@tenterhook/protocol/internal";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { readPlan } from "../call/match/plan-file.ts";
import type { ToolRow } from "../definition/tools.ts";
import { BridgeSandbox } from "../testing/bridge-sandbox.ts";
import { loadClients } from "./index.ts";

// A minute after the hooks were written: a plan is not stored in the moment of a change.
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 }));
afterEach(() => void vi.useRealTimers());

const clients = await loadClients();

type Fields = Readonly<Record<string, unknown>>;

/** A recorded payload before a tool call, and the fields that make it a call of another tool. */
interface Recorded {
  readonly fixture: string;
  readonly fields: (name: string, input: Fields, id: string) => Fields;
}

const common: Recorded["fields"] = (tool_name, tool_input, tool_use_id) => ({
  tool_name,
  tool_input,
  tool_use_id,
});

const RECORDED: Readonly<Record<string, Recorded>> = {
  claude: { fixture: "claude/PreToolUse.Bash", fields: common },
  codex: { fixture: "codex/PreToolUse.Bash", fields: common },
  gemini: { fixture: "gemini/BeforeTool.run_shell_command", fields: common },
  qwen: { fixture: "qwen/PreToolUse.run_shell_command", fields: common },
  copilot: {
    fixture: "copilot/preToolUse.bash",
    fields: (toolName, toolArgs) => ({ toolName, toolArgs }),
  },
  kimi: { fixture: "kimi/PreToolUse.Bash", fields: common },
  droid: { fixture: "droid/PreToolUse.Execute", fields: common },
  cline: {
    fixture: "cline/tool_call.run_commands",
    fields: (name, input, id) => ({ tool_call: { id, name, input }, preToolUse: undefined }),
  },
  opencode: { fixture: "opencode/PreToolUse.bash", fields: common },
};

const PATCH_LINES = {
  WriteFile: "*** Add File: a.txt\n+x",
  EditFile: "*** Update File: a.txt\n-x\n+y",
  DeleteFile: "*** Delete File: a.txt",
};

interface NativeCall {
  readonly client: string;
  readonly native: string;
  readonly tool: string;
  readonly input: Fields;
}

/** A call for each canonical tool that a client's row may become. */
function callsOf(client: string, native: string, rows: readonly ToolRow[]): readonly NativeCall[] {
  // A tool that also takes other input than patches edits; only that is what its name means.
  const patched = rows.every(({ split }) => split !== undefined)
    ? PATCH_LINES
    : { EditFile: PATCH_LINES.EditFile };
  return rows.flatMap(({ name, split, list, needs = [] }) => {
    const call = (tool: string, input: Fields) => ({ client, native, tool, input });
    if (split !== undefined)
      return Object.entries(patched).map(([tool, lines]) =>
        call(tool, { input: `*** Begin Patch\n${lines}\n*** End Patch` }),
      );
    const input = Object.fromEntries(needs.map((key) => [key, "x"]));
    return [call(name, list === undefined ? input : { ...input, [list.argument]: ["x"] })];
  });
}

const CALLS = clients.flatMap(({ id, tools }) =>
  Object.entries(tools.rows).flatMap(([native, rows]) => callsOf(id, native, [rows].flat() as ToolRow[])),
);

test("every client's rows are in the table of native names, and nothing else is", () => {
  const inRows = CANONICAL_TOOLS.map((tool) => [
    tool,
    [...new Set(CALLS.filter((call) => call.tool === tool).map(({ native }) => native))]
      .filter((native) => !isCanonicalTool(native))
      .sort(),
  ]);
  expect(inRows).toEqual(CANONICAL_TOOLS.map((tool) => [tool, [...nativeNames(tool)].sort()]));
});

test("the reference page lists them in the same order", () => {
  const page = readFileSync(
    fileURLToPath(new URL("../../../../docs/reference/bridges.md", import.meta.url)),
    "utf8",
  );
  const rows = [...page.matchAll(/^\| `([A-Z]\w+)` \|.*\| (.+) \|$/gm)];
  const listed = rows.map(([, tool, names = ""]) => [
    tool,
    [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name),
  ]);
  expect(listed).toEqual(CANONICAL_TOOLS.map((tool) => [tool, nativeNames(tool)]));
});

test("a native name that is a canonical name means that tool in every client", () => {
  expect(CALLS.filter(({ native, tool }) => isCanonicalTool(native) && native !== tool)).toEqual([]);
});

describe("a HOOK.md for a client's own name of a tool", () => {
  test.each(CALLS)("refuses $native ($tool) of $client", async ({ client, native, input }) => {
    const { fixture, fields } = RECORDED[client] ?? { fixture: client, fields: common };
    const sandbox = new BridgeSandbox();
    sandbox.hook("guard", { fields: [`matcher: { tool: ${native} }`, "action: block", "reason: not here"] });
    const refused = expect.stringContaining("not here");
    const send = async (id: string) => {
      const { stdout, stderr } = await sandbox.send(fixture, fields(native, input, id));
      return stdout + stderr;
    };
    expect(await send("1")).toEqual(refused);
    // The first call stores the guards, which is a change; the second one stores the plan.
    expect(await send("2")).toEqual(refused);
    expect(readPlan([findLocations(sandbox.project, { HOME: sandbox.home })])).toBeDefined();
    expect(await send("3")).toEqual(refused);
  });

  const meanings = CALLS.flatMap(({ native }) =>
    isCanonicalTool(native) ? [] : canonicalTools(native).map((tool) => ({ native, tool })),
  );
  test.each([...new Map(meanings.map((each) => [JSON.stringify(each), each])).values()])(
    "refuses $tool of a program where it is for $native",
    async ({ native, tool: toolName }) => {
      const sandbox = new BridgeSandbox();
      sandbox.hook("guard", {
        fields: [`matcher: { tool: ^${native}$ }`, "action: block", "reason: not here"],
      });
      const hooks = createHooks();
      new FileHooks({ cwd: sandbox.project, env: { HOME: sandbox.home } }).attach(hooks);
      const at = (name: string) => hooks.dispatch("before_tool", { toolName: name, toolInput: {} });
      expect(await at(toolName)).toMatchObject({ action: "refuse" });
      const others = CANONICAL_TOOLS.filter((tool) => !canonicalTools(native).includes(tool));
      for (const other of [...others, "deploy"]) expect(await at(other)).toMatchObject({ action: "go_on" });
    },
  );
});
