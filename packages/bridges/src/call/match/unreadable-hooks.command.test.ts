import { execFile } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { findLocations } from "@tenterhook/file-hooks";
import { KnownGuards, readGuardList, readGuards } from "@tenterhook/file-hooks/discover";
import { checkedText, withChecksum } from "@tenterhook/internal/files";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BridgeSandbox } from "../../testing/bridge-sandbox.ts";
import { readPlan } from "./plan-file.ts";

const BASH = "claude/PreToolUse.Bash";
const DENY = "echo refused by the guard >&2; exit 2";

// A minute after the hooks were written: a plan is not stored in the moment of a change.
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 }));
afterEach(() => void vi.useRealTimers());

let calls = 0;
function command(sandbox: BridgeSandbox, session = "s1") {
  return sandbox.send(BASH, { session_id: session, tool_use_id: `call ${++calls}` });
}

function planOf({ project, home }: BridgeSandbox) {
  return readPlan([findLocations(project, { HOME: home })]);
}

/** A link that leads to itself, whatever was there. */
function loop(path: string): void {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(path, path);
}

test.each([
  ["root", ({ userHooks }: BridgeSandbox) => userHooks],
  ["folder", ({ userHooks }: BridgeSandbox) => join(userHooks, "guard")],
  ["HOOK.md", ({ userHooks }: BridgeSandbox) => join(userHooks, "guard", "HOOK.md")],
])(
  "a hooks %s that cannot be read refuses where nothing was known of it, and no plan is stored",
  async (_, pathIn) => {
    const sandbox = new BridgeSandbox();
    const path = pathIn(sandbox);
    loop(path);
    for (const session of ["s1", "s1", "s2"]) {
      const given = await command(sandbox, session);
      expect(given.exit).toBe(2);
      expect(given.stderr).toContain(`${path}`);
      expect(given.stderr).toContain("cannot be read (ELOOP)");
      expect(planOf(sandbox)).toBe(undefined);
    }
    expect(readGuards(sandbox.state)).toBe(undefined);
    rmSync(path, { recursive: true });
    sandbox.hook("guard", { script: DENY });
    // The first call stores which guards there are, the second one the plan.
    for (const session of ["s1", "s2"])
      expect(await command(sandbox, session)).toMatchObject({ exit: 2, stderr: "refused by the guard\n" });
    expect(planOf(sandbox)?.hooks.before_tool).toMatchObject([{ name: "guard" }]);
  },
);

test("a guard that was known is asked and stays on the lists, and the person is told", async () => {
  const sandbox = new BridgeSandbox();
  const folder = sandbox.hook("guard", { fields: ["on_error: block"], script: "exit 0" });
  expect(await command(sandbox)).toMatchObject({ exit: 0, stdout: "" });
  loop(join(folder, "HOOK.md"));
  const answer = await command(sandbox, "s2");
  expect(answer).toMatchObject({ exit: 0, stdout: expect.stringContaining("cannot be read (ELOOP)") });
  expect(planOf(sandbox)).toBe(undefined);
  expect(readGuards(sandbox.state)).toMatchObject([{ name: "guard" }]);
  sandbox.write(join(folder, "scripts", "run.sh"), `#!/bin/sh\n${DENY}\n`, 0o755);
  expect(await command(sandbox, "s2")).toMatchObject({ exit: 2, stderr: "refused by the guard\n" });
});

test("a project's folder that cannot be read refuses nothing, and the user's guards are recorded", async () => {
  const sandbox = new BridgeSandbox();
  loop(join(sandbox.project, ".agents", "hooks", "odd"));
  sandbox.hook("guard", { fields: ["on_error: block"], script: "exit 0" });
  const answer = await command(sandbox);
  expect(answer).toMatchObject({ exit: 0, stdout: expect.stringMatching(/odd.HOOK\.md.*cannot be read/) });
  expect(planOf(sandbox)).toBe(undefined);
  expect(readGuards(sandbox.state)).toMatchObject([{ name: "guard" }]);
  const list = readGuardList(new KnownGuards(sandbox.state).path);
  expect(list.type === "read" && [...list.roots.values()].flat()).toMatchObject([{ name: "guard" }]);
});

/** Calls the bridge, with all descriptors in use for the second call, before which the hooks root has another change time. */
const EXHAUSTED = `
  const { chmodSync, closeSync, openSync } = await import("node:fs");
  const { bridge } = await import(process.argv[1]);
  const [, , root, text] = process.argv;
  const call = { ...JSON.parse(text), startJob() {} };
  let calls = 0;
  const ask = () => bridge({ ...call, stdin: call.stdin.replaceAll("first", "call " + ++calls) });
  const answers = [await ask()];
  // All modules are loaded, as in a process that has run for a while.
  await bridge({ ...call, stdin: "{" });
  chmodSync(root, 0o755);
  const descriptors = [];
  try {
    for (;;) descriptors.push(openSync("/dev/null"));
  } catch {}
  answers.push(await ask());
  for (const each of descriptors) closeSync(each);
  answers.push(await ask());
  process.stdout.write(JSON.stringify(answers));
`;

test("with all descriptors in use, a guard with on_error: block refuses, and is asked again afterwards", async () => {
  const sandbox = new BridgeSandbox();
  const folder = sandbox.hook("guard", {
    fields: ["on_error: block", "action: block", "reason: refused by the guard"],
  });
  const call = {
    client: "claude",
    event: "PreToolUse",
    cwd: sandbox.project,
    env: { PATH: process.env.PATH, HOME: sandbox.home },
    stdin: JSON.stringify(sandbox.payload(BASH, { tool_use_id: "first" })),
  };
  const module = new URL("../../../dist/call/bridge.js", import.meta.url).href;
  const limited = ["-c", 'ulimit -n 500; exec "$@"', "sh", process.execPath];
  const args = ["--input-type=module", "--eval", EXHAUSTED, module, dirname(folder), JSON.stringify(call)];
  const { stdout } = await promisify(execFile)("/bin/sh", [...limited, ...args]);
  const answers = JSON.parse(stdout) as readonly { readonly exit: number; readonly stderr: string }[];
  expect(answers.map(({ exit }) => exit)).toEqual([2, 2, 2]);
  expect(answers[2]?.stderr).toBe("refused by the guard\n");
  expect(await command(sandbox)).toMatchObject({ exit: 2, stderr: "refused by the guard\n" });
});

const UNUSABLE: readonly (readonly [string, (path: string) => void])[] = [
  ["a link to itself", loop],
  [
    "a link without a target",
    (path) => {
      rmSync(path);
      symlinkSync(`${path}-elsewhere`, path);
    },
  ],
  ["of a later version", (path) => writeFileSync(path, '{"version":2,"guards":{}}')],
];

test.each(UNUSABLE)(
  "while the list of known guards is %s, a guard that is gone refuses, and the list is not replaced",
  async (_, spoil) => {
    const sandbox = new BridgeSandbox();
    const folder = sandbox.hook("guard", { fields: ["on_error: block"], script: "exit 0" });
    sandbox.hook("other", { fields: ["matcher: { pattern: nothing }"], script: "exit 0" });
    for (const session of ["s0", "s1"])
      expect(await command(sandbox, session)).toMatchObject({ exit: 0, stdout: "" });
    const { path } = new KnownGuards(sandbox.state);
    const before = readFileSync(path, "utf8");
    spoil(path);
    const spoiled = lstatSync(path).ino;
    const present = await command(sandbox, "s2");
    expect(present).toMatchObject({ exit: 0, stdout: expect.stringContaining("list of your guards") });
    expect(planOf(sandbox)).toBe(undefined);
    rmSync(folder, { recursive: true });
    for (const session of ["s2", "s3"])
      expect(await command(sandbox, session)).toMatchObject({
        exit: 2,
        stderr: expect.stringContaining('hook "guard" on before_tool: it is gone'),
      });
    expect(lstatSync(path).ino).toBe(spoiled);
    rmSync(join(sandbox.state, "bridge", "guards"));
    expect(await command(sandbox, "s4")).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining("known-guards.json cannot be read"),
    });
    expect(existsSync(join(sandbox.state, "bridge", "guards"))).toBe(false);
    rmSync(path);
    writeFileSync(path, before);
    expect((await command(sandbox, "s5")).stderr).toContain('hook "guard" on before_tool: it is gone');
  },
);

test("a plan of another version is made anew", async () => {
  const sandbox = new BridgeSandbox();
  sandbox.hook("guard", { script: DENY });
  expect(await command(sandbox)).toMatchObject({ exit: 2 });
  const { cwd, cache } = findLocations(sandbox.project, { HOME: sandbox.home });
  const path = join(cache, "bridge", `${encodeURIComponent(cwd).slice(-180)}.json`);
  const { version, ...plan } = JSON.parse(checkedText(readFileSync(path, "utf8")) ?? "") as {
    readonly version: number;
  };
  writeFileSync(path, withChecksum(JSON.stringify({ ...plan, version: version - 1, hooks: {} })));
  expect(await command(sandbox)).toMatchObject({ exit: 2, stderr: "refused by the guard\n" });
  expect(planOf(sandbox)?.hooks.before_tool).toMatchObject([{ name: "guard" }]);
});
