import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHooks } from "@tenterhook/engine";
import { FileHooks } from "@tenterhook/file-hooks";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { BridgeSandbox } from "../../testing/bridge-sandbox.ts";
import { DAMAGES, type Damage } from "../../testing/damaged-files.ts";
import { FOUR_GUARDS, fourGuards } from "../../testing/four-guards.ts";

const BASH = "claude/PreToolUse.Bash";

// A minute after the hooks were written: a plan is not stored in the moment of a change.
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 }));
afterEach(() => void vi.useRealTimers());

function edited(edit: (text: string) => string): (path: string) => void {
  return (path) => {
    const before = readFileSync(path, "utf8");
    const after = edit(before);
    expect(after).not.toBe(before);
    writeFileSync(path, after);
  };
}

const EDITS: readonly Damage[] = [
  ["with other patterns", edited((text) => text.replaceAll(/(user|project)-/g, "$1+"))],
  ["with other events", edited((text) => text.replaceAll("before_tool", "after_tool"))],
  ["with a changed character at the end", edited((text) => text.replace(/.(.{20})$/, "~$1"))],
  [
    "whose inner JSON is of another shape",
    edited((text) => text.replaceAll(/"([^"]{12})[^"\\]*"/g, '"$1null"')),
  ],
  ["from which a line is gone", edited((text) => text.split("\n").slice(1).join("\n"))],
  ["that begins as that of another version", edited((text) => `{"version":1}${text}`)],
  [
    "that is its checksum and JSON of another shape",
    // The checksum of "[]".
    edited((text) =>
      text
        .split("\n")
        .map(() => "00005d99[]")
        .join("\n"),
    ),
  ],
];

/** The files in which hooks are cached: the plan, and the index of each hooks root. */
function cacheFiles({ home }: BridgeSandbox): readonly string[] {
  const cache = join(home, ".cache", "tenterhook");
  return [cache, join(cache, "bridge")].flatMap((folder) =>
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.name.endsWith(".json"))
      .map(({ name }) => join(folder, name)),
  );
}

/** All guards are asked in a library and in a coding agent, and then everything is cached. */
async function expectAllRefuse(sandbox: BridgeSandbox, nth: number): Promise<void> {
  for (const name of FOUR_GUARDS) {
    const id = `${name} ${nth}`;
    const given = await sandbox.send(BASH, { tool_use_id: id, tool_input: { command: name } });
    expect([given.exit, given.stderr]).toEqual([2, `refused by ${name}\n`]);
  }
}

describe.each([...DAMAGES, ...EDITS])("a cache of hooks %s", (_, damage) => {
  test("disarms no guard in a coding agent, and is made again", async () => {
    const sandbox = fourGuards();
    await expectAllRefuse(sandbox, 1);
    const files = await vi.waitFor(() => {
      const found = cacheFiles(sandbox);
      expect(found).toHaveLength(3);
      return found;
    }, 60_000);
    for (const file of files) damage(file);
    await expectAllRefuse(sandbox, 2);
    await expectAllRefuse(sandbox, 3);
  });

  test("disarms no guard in a library", async () => {
    const sandbox = fourGuards();
    await expectAllRefuse(sandbox, 1);
    for (const file of await vi.waitFor(() => cacheFiles(sandbox), 60_000)) damage(file);
    const hooks = createHooks({ report: () => undefined });
    const env = { PATH: process.env.PATH, HOME: sandbox.home };
    onTestFinished(new FileHooks({ cwd: sandbox.project, env, log: () => undefined }).attach(hooks));
    for (const name of FOUR_GUARDS) {
      const payload = { toolName: "Shell", toolInput: { command: name }, toolUseId: name };
      const { action, reason } = await hooks.dispatch("before_tool", payload as never);
      expect([action, reason]).toEqual(["refuse", `refused by ${name}`]);
    }
  });
});
