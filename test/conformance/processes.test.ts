import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runHook } from "@tenterhook/file-hooks";
import { type HookFile, TenterhookError } from "@tenterhook/protocol";
import { afterAll, expect, test } from "vitest";
import { type ProcessScript, SCRIPTS } from "./process-scripts.ts";

const page = fileURLToPath(new URL("../../docs/reference/hook-processes.md", import.meta.url));
const rows = readRows(readFileSync(page, "utf8"));
const root = mkdtempSync(join(tmpdir(), "tenterhook-processes-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test("the page has a row for every script, and a script for every row", () => {
  expect(rows.map(({ what }) => what)).toEqual(Object.keys(SCRIPTS));
});

test.each(rows.map((row) => [row.what, row] as const))("a hook that %s", async (what, { verdict, told }) => {
  const script = SCRIPTS[what];
  if (script === undefined) throw new Error("no script for this row");
  const started = performance.now();
  const result = await ask(script);
  expect(result.verdict).toBe(verdict);
  if (told !== "") expect(result.told).toContain(told);
  // Nothing here may take as long as what the scripts sleep for.
  expect(performance.now() - started).toBeLessThan(10_000);
});

interface Row {
  readonly what: string;
  readonly verdict: string;
  readonly told: string;
}

function readRows(text: string): readonly Row[] {
  return text
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| ---") && !line.startsWith("| what"))
    .map((line) => {
      const [what = "", verdict = "", told = ""] = line
        .slice(1, -1)
        .split(" | ")
        .map((cell) => cell.trim());
      return { what, verdict, told };
    });
}

let number = 0;

/** Asks a real script about an event, and says in the page's words what came of it. */
async function ask(script: ProcessScript): Promise<{ verdict: string; told: string }> {
  const { file = "run.sh", content, mode = 0o755, timeoutMs = 8_000, inputBytes = 0, action } = script;
  const place = join(root, String(number++));
  const folder = join(place, script.folder ?? "hook");
  mkdirSync(join(folder, "scripts"), { recursive: true });
  if (content !== undefined) writeFileSync(join(folder, "scripts", file), content, { mode });
  const hook = hookWith(timeoutMs, action);
  const payload = {
    toolName: "Shell",
    toolInput: { command: "ls", padding: "x".repeat(inputBytes) },
    workDir: place,
  };
  try {
    const where = { folder, projectDir: place, state: join(place, "state") };
    const { outcome, log = "", notes = [] } = await runHook(hook, "before_tool", payload, where);
    return { verdict: outcome.type, told: `${JSON.stringify(outcome)} ${log} ${notes.join("; ")}` };
  } catch (error) {
    if (!TenterhookError.isInstance(error)) throw error;
    return { verdict: `failure: ${error.code}`, told: error.message };
  }
}

function hookWith(timeoutMs: number, action: string | undefined): HookFile {
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
    ...(action !== undefined && { action: { type: "block", reason: action } }),
  };
}
