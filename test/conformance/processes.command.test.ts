import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runHook } from "@tenterhook/file-hooks/run";
import { type HookFile, TenterhookError } from "@tenterhook/protocol";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { expect, test } from "vitest";
import { type ProcessScript, SCRIPTS } from "./process-scripts.ts";

const page = fileURLToPath(new URL("../../docs/reference/hook-processes.md", import.meta.url));
const rows = readRows(readFileSync(page, "utf8"));
const root = temporaryFolder();

test("the page has a row for every script, and a script for every row", () => {
  expect(rows.map(({ what }) => what)).toEqual(Object.keys(SCRIPTS));
});

test.each(rows.map((row) => [row.what, row] as const))(
  "a hook that %s",
  async (what, { verdict, report }) => {
    const script = SCRIPTS[what];
    if (script === undefined) throw new Error("no script for this row");
    const started = performance.now();
    const result = await callScript(script);
    expect(result.verdict).toBe(verdict);
    if (report !== "") expect(result.report).toContain(report);
    // Nothing here may take as long as what the scripts sleep for.
    expect(performance.now() - started).toBeLessThan(25_000);
  },
);

interface Row {
  readonly what: string;
  readonly verdict: string;
  readonly report: string;
}

function readRows(text: string): readonly Row[] {
  return text
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| ---") && !line.startsWith("| what"))
    .map((line) => {
      const [what = "", verdict = "", report = ""] = line
        .slice(1, -1)
        .split(" | ")
        .map((cell) => cell.trim());
      return { what, verdict, report };
    });
}

let number = 0;

/** Calls a real script with an event, and returns the result in the terms of the page. */
async function callScript(script: ProcessScript): Promise<{ verdict: string; report: string }> {
  const { file = "run.sh", content, mode = 0o755, timeoutMs = 8_000, inputBytes = 0, action } = script;
  const project = join(root, String(number++));
  const folder = join(project, script.folder ?? "hook");
  mkdirSync(join(folder, "scripts"), { recursive: true });
  if (content !== undefined) writeFileSync(join(folder, "scripts", file), content, { mode });
  const hook = hookWith(timeoutMs, action);
  const payload = {
    toolName: "Shell",
    toolInput: { command: "ls", padding: "x".repeat(inputBytes) },
    workDir: project,
  };
  try {
    const where = { folder, projectDir: project, state: join(project, "state") };
    const { outcome, log = "", notes = [] } = await runHook(hook, "before_tool", payload, where);
    return { verdict: outcome.type, report: `${JSON.stringify(outcome)} ${log} ${notes.join("; ")}` };
  } catch (error) {
    if (!TenterhookError.isInstance(error)) throw error;
    return { verdict: `failure: ${error.code}`, report: error.message };
  }
}

function hookWith(timeoutMs: number, action: HookFile["action"]): HookFile {
  return {
    name: "hook",
    description: "A hook under test",
    trigger: "before_tool",
    events: ["before_tool"],
    timeoutMs,
    mode: "sync",
    priority: 100,
    onError: "continue",
    always: false,
    rejudge: true,
    metadata: {},
    ...(action !== undefined && { action }),
  };
}
