import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHooks } from "@tenterhook/engine";
import { FileHooks } from "@tenterhook/file-hooks";
import { TrustStore } from "@tenterhook/file-hooks/trust";
import { describe, expect, onTestFinished, test } from "vitest";
import type { BridgeSandbox } from "../../testing/bridge-sandbox.ts";
import { DAMAGES, type Damage, withFields } from "../../testing/damaged-files.ts";
import { FOUR_GUARDS, fourGuards } from "../../testing/four-guards.ts";

const BASH = "claude/PreToolUse.Bash";

/** Wrong values in the place of an entry, or of a part of one. */
function inEntry(change: (entry: { hook: Record<string, unknown> } & Record<string, unknown>) => unknown) {
  return (path: string) => {
    const content = JSON.parse(readFileSync(path, "utf8")) as { hooks: Record<string, never> };
    const [[folder, entry] = ["", {} as never]] = Object.entries(content.hooks);
    writeFileSync(path, JSON.stringify({ ...content, hooks: { ...content.hooks, [folder]: change(entry) } }));
  };
}

const WRONG = [null, [], 7, "text", true] as const;
const OF_STORE: readonly Damage[] = [
  ...WRONG.flatMap((value): Damage[] => [
    [`whose hooks are ${JSON.stringify(value)}`, withFields({ hooks: value })],
    [`whose tomls are ${JSON.stringify(value)}`, withFields({ tomls: value })],
    [`with ${JSON.stringify(value)} for a hook`, inEntry(() => value)],
    [`with ${JSON.stringify(value)} for a HOOK.md`, inEntry((entry) => ({ ...entry, hook: value }))],
    [
      `with ${JSON.stringify(value)} for the events of a hook`,
      inEntry(({ hook, ...entry }) => ({ ...entry, hook: { ...hook, events: value || [value] } })),
    ],
    [
      `with ${JSON.stringify(value)} for the matcher of a hook`,
      inEntry(({ hook, ...entry }) => ({
        ...entry,
        hook: { ...hook, matcher: { pattern: value && [value] } },
      })),
    ],
  ]).filter(([name]) => !/^with \[\] for the events/.test(name)),
  ["whose tomls contain a number", withFields({ tomls: { "/a": 7 } })],
  ["of a later version", withFields({ version: 2 })],
  ["without a version", withFields({ version: undefined })],
  [
    "with an event that does not exist",
    inEntry(({ hook, ...entry }) => ({ ...entry, hook: { ...hook, events: ["x"] } })),
  ],
];

const storeOf = ({ state }: BridgeSandbox) => join(state, "trust.json");

describe.each([...DAMAGES, ...OF_STORE])("a trust.json %s", (_, damage) => {
  test("leaves the user's guards in force, and a project's guard refuses unless it may be passed over", async () => {
    const sandbox = fourGuards();
    damage(storeOf(sandbox));
    const messages: string[] = [];
    const hooks = createHooks({ report: ({ message }) => void messages.push(message) });
    const env = { PATH: process.env.PATH, HOME: sandbox.home };
    const files = new FileHooks({ cwd: sandbox.project, env, log: (message) => void messages.push(message) });
    onTestFinished(files.attach(hooks));
    for (const name of FOUR_GUARDS) {
      const payload = { toolName: "Shell", toolInput: { command: name }, toolUseId: name };
      const { action, reason } = await hooks.dispatch("before_tool", payload as never);
      const expected = {
        "user-block": ["refuse", expect.stringContaining("refused by user-block")],
        "user-continue": ["refuse", expect.stringContaining("refused by user-continue")],
        "project-block": ["refuse", expect.stringContaining("it is not known what is trusted")],
        "project-continue": ["go_on", undefined],
      }[name];
      expect([name, action, reason]).toEqual([name, ...(expected ?? [])]);
    }
    const told = messages.filter((message) => message.includes("it is not known what is trusted"));
    expect(told.some((message) => message.includes("project-continue"))).toBe(true);
    expect(told.some((message) => message.startsWith(storeOf(sandbox)))).toBe(true);
  });

  test("does so in a coding agent too, and is not overwritten", async () => {
    const sandbox = fourGuards();
    await sandbox.send(BASH, { tool_use_id: "0" });
    damage(storeOf(sandbox));
    for (const name of FOUR_GUARDS) {
      const given = await sandbox.send(BASH, { tool_use_id: name, tool_input: { command: name } });
      const text = `${given.stdout}${given.stderr}`;
      if (name.startsWith("user")) expect([given.exit, given.stderr]).toEqual([2, `refused by ${name}\n`]);
      else {
        expect([name, given.exit]).toEqual([name, name === "project-block" ? 2 : 0]);
        expect(text).toContain("it is not known what is trusted");
      }
    }
    expect(new TrustStore(sandbox.state).problem).toBeTypeOf("string");
  });
});

test("a project's guard whose HOOK.md is gone too is refused for, by the list of guards", async () => {
  const sandbox = fourGuards();
  await sandbox.send(BASH, { tool_use_id: "0" });
  writeFileSync(storeOf(sandbox), "[]");
  rmSync(join(sandbox.project, ".agents"), { recursive: true });
  for (const id of ["1", "2"]) {
    const given = await sandbox.send(BASH, { tool_use_id: id, tool_input: { command: "anything" } });
    expect(given).toMatchObject({ exit: 2, stderr: expect.stringContaining("project-block") });
  }
});

test("a guard of an outer project refuses, and a project that appears nearer does not hide it", async () => {
  const sandbox = fourGuards();
  const inner = join(sandbox.project, "inner");
  sandbox.hook("inner", { project: inner, fields: ["matcher: { pattern: nothing }"], script: "exit 0" });
  writeFileSync(storeOf(sandbox), "7");
  const hooks = createHooks();
  const files = new FileHooks({ cwd: inner, env: { HOME: sandbox.home }, log: () => undefined });
  onTestFinished(files.attach(hooks));
  const payload = { toolName: "Shell", toolInput: { command: "project-block" }, toolUseId: "1" };
  expect((await hooks.dispatch("before_tool", payload as never)).action).toBe("refuse");
  new TrustStore(sandbox.state).startAnew();
  expect((await hooks.dispatch("before_tool", payload as never)).action).toBe("go_on");
});

test("nothing is trusted or revoked while it is unknown what is trusted, and the file is put aside only on request", () => {
  const sandbox = fourGuards();
  const path = storeOf(sandbox);
  writeFileSync(path, "[7]");
  const store = new TrustStore(sandbox.state);
  const folder = join(sandbox.project, ".agents", "hooks", "project-block");
  for (const change of [
    () => sandbox.trust(folder),
    () => store.revoke(folder),
    () => store.trustToml(join(sandbox.project, ".agents", "hooks", "hooks.toml"), "x"),
  ])
    expect(change).toThrow("it is not known what is trusted");
  expect(readFileSync(path, "utf8")).toBe("[7]");
  const aside = store.startAnew() ?? "";
  expect([existsSync(path), readFileSync(aside, "utf8")]).toEqual([false, "[7]"]);
  expect(store.startAnew()).toBe(undefined);
  sandbox.trust(folder);
  expect(store.list().map(({ hook }) => hook.name)).toEqual(["project-block"]);
});

test("a store that was missing for a moment is read again without being changed", () => {
  const sandbox = fourGuards();
  const store = new TrustStore(sandbox.state);
  const path = storeOf(sandbox);
  const text = readFileSync(path, "utf8");
  writeFileSync(path, "[]");
  expect(store.problem).toBe("it is not a JSON object");
  writeFileSync(path, text);
  expect([store.problem, store.list().length]).toEqual([undefined, 2]);
});
