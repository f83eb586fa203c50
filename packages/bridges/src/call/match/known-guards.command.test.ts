import { execFile, execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import {
  forgetKnownGuard,
  guardsFile,
  KnownGuards,
  readGuardList,
  readGuards,
} from "@tenterhook/file-hooks/discover";
import { expect, test } from "vitest";
import { BridgeSandbox } from "../../testing/bridge-sandbox.ts";

const BASH = "claude/PreToolUse.Bash";
const SHELL = ["matcher:", "  tool: Shell"];

let calls = 0;
/** A command of a session, which the guard checks. */
function command(sandbox: BridgeSandbox, session = "s1", changes: object = {}) {
  return sandbox.send(BASH, { session_id: session, tool_use_id: `call ${++calls}`, ...changes });
}

/** A guard of the user that allows every command, which the bridge has seen. */
async function guarded(onError: "block" | "continue", more: { readonly fields?: readonly string[] } = {}) {
  const sandbox = new BridgeSandbox();
  const { fields = SHELL } = more;
  const folder = sandbox.hook("guard", { fields: [`on_error: ${onError}`, ...fields], script: "exit 0" });
  expect(await command(sandbox)).toMatchObject({ exit: 0, stdout: "" });
  return { sandbox, folder, root: dirname(folder), file: join(folder, "HOOK.md") };
}

type Guarded = Awaited<ReturnType<typeof guarded>>;

test("a guard with several matchers still decides about what any of them matched when it is gone, and about nothing else", async () => {
  const fields = ["matcher: [{ tool: WriteFile }, { tool: Shell, pattern: echo }]"];
  const { sandbox, folder } = await guarded("block", { fields });
  rmSync(folder, { recursive: true });
  for (const _call of ["first", "with a plan"]) {
    expect(await command(sandbox, "s1", { tool_input: { command: "echo x" } })).toMatchObject({ exit: 2 });
    expect(await command(sandbox, "s1", { tool_input: { command: "ls" } })).toMatchObject({ exit: 0 });
  }
});

const WAYS: readonly (readonly [string, (guarded: Guarded) => void, RegExp])[] = [
  ["its folder was removed", ({ folder }) => rmSync(folder, { recursive: true }), /guard does not exist/],
  [
    "its folder was moved",
    ({ folder, sandbox }) => renameSync(folder, join(sandbox.root, "moved")),
    /does not exist/,
  ],
  ["the hooks root was moved", ({ root }) => renameSync(root, `${root}-old`), /hooks does not exist/],
  [
    "the hooks root is a file",
    ({ root }) => {
      rmSync(root, { recursive: true });
      writeFileSync(root, "");
    },
    /hooks is not a folder/,
  ],
  ["its HOOK.md was removed", ({ file }) => rmSync(file), /HOOK\.md does not exist/],
  ["its HOOK.md was emptied", ({ file }) => truncateSync(file), /HOOK\.md cannot be used/],
  [
    "its HOOK.md is a folder",
    ({ file }) => {
      rmSync(file);
      mkdirSync(file);
    },
    /HOOK\.md cannot be used/,
  ],
  [
    "its HOOK.md is a pipe",
    ({ file }) => {
      rmSync(file);
      execFileSync("mkfifo", [file]);
    },
    /HOOK\.md cannot be used/,
  ],
  [
    "its frontmatter is broken",
    ({ file }) => writeFileSync(file, "---\nname: [\n---\n"),
    /HOOK\.md cannot be used/,
  ],
  [
    "its trigger was changed",
    ({ sandbox }) => void sandbox.hook("guard", { trigger: "after_tool", script: "exit 0" }),
    /no longer makes it a guard at before_tool/,
  ],
  [
    "it became a background hook",
    ({ sandbox }) => void sandbox.hook("guard", { fields: ["async: true"], script: "exit 0" }),
    /async: true/,
  ],
  [
    "it became a hook that is not enforced",
    ({ sandbox }) => void sandbox.hook("guard", { fields: ["enforce: false"], script: "exit 0" }),
    /enforce: false now.*tenterhook enforce guard --off/,
  ],
  [
    "hooks.toml has it not enforced",
    ({ root }) => writeFileSync(join(root, "hooks.toml"), "[hooks.guard]\nenforce = false\n"),
    /enforce: false now.*tenterhook enforce guard --off/,
  ],
  [
    "its name was changed",
    ({ file }) => writeFileSync(file, readFileSync(file, "utf8").replace("name: guard", "name: other")),
    /no longer makes it a guard/,
  ],
  [
    "another hook has its name",
    ({ root }) => {
      mkdirSync(join(root, "a"));
      writeFileSync(
        join(root, "a", "HOOK.md"),
        "---\nname: guard\ndescription: x\ntrigger: before_tool\naction: block\nreason: no\n---\n",
      );
    },
    /2 hooks .* have this name \(a, guard\).*tenterhook rename .*a NEW-NAME/,
  ],
  [
    "hooks.toml disables it",
    ({ root }) => writeFileSync(join(root, "hooks.toml"), "[hooks.guard]\nenabled = false\n"),
    /hooks\.toml disables it/,
  ],
];

test.each(WAYS)("a guard with on_error: block refuses what it checked when %s", async (_, lose, why) => {
  const lost = await guarded("block");
  lose(lost);
  for (const session of ["s1", "s1", "s2"]) {
    const { exit, stderr } = await command(lost.sandbox, session);
    expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringMatching(why) });
    expect(stderr).toMatch(
      /hook "guard".* it is gone: .*tenterhook (?:remove guard|disable guard|enforce guard --off|rename )/,
    );
  }
});

test.each(WAYS)(
  "a guard with on_error: continue passes with a note once a session when %s",
  async (_, lose, why) => {
    const lost = await guarded("continue");
    lose(lost);
    const first = await command(lost.sandbox, "s2");
    expect(first).toMatchObject({ exit: 0, stdout: expect.stringMatching(why) });
    expect(first.stdout).toContain("tenterhook ");
    expect((await command(lost.sandbox, "s2")).stdout).not.toMatch(/gone/);
    expect((await command(lost.sandbox, "s3")).stdout).toMatch(why);
  },
);

test("a guard that is gone decides only about what it checked", async () => {
  const { sandbox, folder } = await guarded("block", { fields: ["matcher:", "  pattern: push --force"] });
  rmSync(folder, { recursive: true });
  expect(await command(sandbox)).toMatchObject({ exit: 0, stdout: "" });
  const forced = { tool_input: { command: "git push --force" } };
  expect(await command(sandbox, "s1", forced)).toMatchObject({ exit: 2 });
});

test("a guard that was restored checks again, and its new matcher and on_error count", async () => {
  const { sandbox, folder } = await guarded("block");
  const away = join(sandbox.root, "away");
  renameSync(folder, away);
  expect((await command(sandbox)).exit).toBe(2);
  renameSync(away, folder);
  expect((await command(sandbox)).exit).toBe(0);
  sandbox.hook("guard", { fields: ["on_error: continue", "matcher:", "  tool: Write"], script: "exit 0" });
  expect((await command(sandbox)).exit).toBe(0);
  rmSync(folder, { recursive: true });
  expect(await command(sandbox)).toMatchObject({ exit: 0, stdout: "" });
});

test("a guard that only moved to another folder of the hooks root is not gone", async () => {
  const { sandbox, folder } = await guarded("block");
  renameSync(folder, `${folder}-renamed`);
  expect((await command(sandbox)).exit).toBe(0);
});

test("a hooks root behind a link is gone when the link's target is", async () => {
  const sandbox = new BridgeSandbox();
  const folder = sandbox.hook("guard", { fields: ["on_error: block"], script: "exit 0" });
  const root = dirname(folder);
  renameSync(root, join(sandbox.root, "dotfiles"));
  symlinkSync(join(sandbox.root, "dotfiles"), root);
  expect((await command(sandbox)).exit).toBe(0);
  renameSync(join(sandbox.root, "dotfiles"), join(sandbox.root, "elsewhere"));
  expect(await command(sandbox)).toMatchObject({ exit: 2, stderr: expect.stringContaining("gone") });
});

test("a hook that could never refuse is not missed, and a stop gate is only reported", async () => {
  const sandbox = new BridgeSandbox();
  const folders = [
    sandbox.hook("observer", { trigger: "notification", fields: ["on_error: block"], script: "exit 0" }),
    sandbox.hook("later", { fields: ["async: true"], script: "exit 0" }),
    sandbox.hook("gate", { trigger: "before_stop", fields: ["on_error: block"], script: "exit 0" }),
  ];
  await sandbox.send("claude/Stop");
  for (const folder of folders) rmSync(folder, { recursive: true });
  expect(await command(sandbox)).toMatchObject({ exit: 0, stdout: "" });
  const stopped = await sandbox.send("claude/Stop", { session_id: "s9" });
  expect(stopped).toMatchObject({ exit: 0, stdout: expect.stringContaining('hook \\"gate\\"') });
});

test("what was confirmed is forgotten, by the hook script too", async () => {
  const { sandbox, folder, root } = await guarded("block");
  rmSync(folder, { recursive: true });
  expect((await command(sandbox)).exit).toBe(2);
  expect(readGuards(sandbox.state)).toMatchObject([{ name: "guard" }]);
  expect(await forgetKnownGuard(sandbox.state, root, "guard")).toBe(true);
  expect(await command(sandbox)).toMatchObject({ exit: 0, stdout: "" });
  expect(readGuards(sandbox.state)).toEqual([]);
});

test.each([
  ["deleted", (path: string) => rmSync(path)],
  ["cut off", (path: string) => truncateSync(path, 30)],
  ["of another kind", (path: string) => writeFileSync(path, '{"version":1,"guards":[{"name":7}]}')],
  ["empty", (path: string) => truncateSync(path)],
])(
  "a list of guards that is %s is reported, and a guard with on_error: block still refuses",
  async (_, damage) => {
    const { sandbox, folder } = await guarded("block");
    damage(new KnownGuards(sandbox.state).path);
    sandbox.hook("other", { trigger: "notification", script: "exit 0" });
    const reported = await command(sandbox, "s2");
    expect(reported).toMatchObject({ exit: 0, stdout: expect.stringContaining("list of your guards") });
    damage(new KnownGuards(sandbox.state).path);
    rmSync(folder, { recursive: true });
    expect(await command(sandbox, "s3")).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('"guard"'),
    });
    expect(await command(sandbox, "s4")).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('"guard"'),
    });
  },
);

test.each([
  ["deleted", (path: string) => rmSync(path)],
  ["empty", (path: string) => truncateSync(path)],
  ["without its end", (path: string) => truncateSync(path, 5)],
])("with the lines of guards %s, a guard that is gone refuses by the list", async (_, damage) => {
  const { sandbox, folder } = await guarded("block");
  damage(guardsFile(sandbox.state));
  rmSync(folder, { recursive: true });
  for (const session of ["s1", "s2"]) expect((await command(sandbox, session)).exit).toBe(2);
  expect(readGuards(sandbox.state)).toMatchObject([{ event: "before_tool", name: "guard" }]);
});

test("a list that cannot be replaced is reported, and calls are checked as before", async () => {
  const sandbox = new BridgeSandbox();
  const { path } = new KnownGuards(sandbox.state);
  for (const folder of [path, `${path}.lock`]) mkdirSync(join(folder, "full"), { recursive: true });
  sandbox.hook("guard", { fields: ["on_error: block"], script: "echo no >&2; exit 2" });
  expect(await command(sandbox)).toMatchObject({ exit: 2, stderr: "no\n" });
  sandbox.hook("guard", { fields: ["on_error: block"], script: "exit 0" });
  const passed = await command(sandbox, "s2");
  expect(passed).toMatchObject({ exit: 0, stdout: expect.stringContaining("list of your guards") });
});

test("hooks roots with one state folder have guards of their own", async () => {
  const { sandbox, folder } = await guarded("block");
  const env = { XDG_CONFIG_HOME: join(sandbox.root, "other") };
  expect(await sandbox.send(BASH, { tool_use_id: "elsewhere" }, { env })).toMatchObject({ exit: 0 });
  rmSync(folder, { recursive: true });
  expect(await sandbox.send(BASH, { tool_use_id: "still" }, { env })).toMatchObject({ exit: 0, stdout: "" });
  expect((await command(sandbox)).exit).toBe(2);
});

const RECORD = `
  const { recordKnownGuards } = await import(process.argv[1]);
  const [, , state, start] = process.argv;
  while (Date.now() < Number(start));
  const root = "/" + process.pid;
  for (let nth = 0; nth < 30; nth++) {
    const hook = { name: "guard-" + nth, events: ["before_tool"], mode: "sync", onError: "block" };
    const active = [{ scope: "user", folder: root + "/guard", hook }];
    while (!(await recordKnownGuards(state, root, active)));
  }
`;

test("bridges that record at the same time do not lose each other's guards", async () => {
  const { state } = new BridgeSandbox();
  const module = import.meta.resolve("@tenterhook/file-hooks/discover");
  const start = String(Date.now() + 500);
  await Promise.all(
    [1, 2, 3].map(() =>
      promisify(execFile)(process.execPath, ["--input-type=module", "--eval", RECORD, module, state, start]),
    ),
  );
  const list = readGuardList(new KnownGuards(state).path);
  expect(list.type === "read" && [...list.roots.values()].map((guards) => guards.length)).toEqual([
    30, 30, 30,
  ]);
  expect(existsSync(`${new KnownGuards(state).path}.lock`)).toBe(false);
});

test("a guard with a name of odd characters is named with a command that a shell reads as one word", async () => {
  const sandbox = new BridgeSandbox();
  const folder = sandbox.hook("odd", { fields: ["on_error: block"], script: "exit 0" });
  const file = join(folder, "HOOK.md");
  writeFileSync(file, readFileSync(file, "utf8").replace("name: odd", `name: "__proto__ it's; rm"`));
  expect((await command(sandbox)).exit).toBe(0);
  rmSync(folder, { recursive: true });
  const { exit, stderr } = await command(sandbox);
  expect({ exit, stderr }).toEqual({
    exit: 2,
    stderr: expect.stringContaining(`tenterhook remove '__proto__ it'\\''s; rm'`),
  });
});

/** Calls the bridge, changes the mode of a path, and calls it again as a user to whom permissions apply, unlike root. */
const UNREADABLE = `
  const { bridge } = await import(process.argv[1]);
  const { chmodSync, chownSync, readdirSync } = await import("node:fs");
  const [, , root, path, text] = process.argv;
  const call = { ...JSON.parse(text), env: { PATH: process.env.PATH, HOME: root + "/home" } };
  const first = await bridge(call);
  if (process.getuid() === 0) {
    for (const name of ["", ...readdirSync(root, { recursive: true })]) chownSync(root + "/" + name, 65534, 65534);
    process.setgid(65534);
    process.setuid(65534);
  }
  chmodSync(path, 0);
  const second = await bridge({ ...call, stdin: call.stdin.replace("first", "second") });
  chmodSync(path, 0o700);
  process.stdout.write(JSON.stringify([first, second]));
`;

test.each([
  ["HOOK.md", "guard/HOOK.md"],
  ["folder", "guard"],
  ["hooks root", ""],
])("a guard whose %s may not be read refuses", async (_, path) => {
  const sandbox = new BridgeSandbox();
  const folder = sandbox.hook("guard", {
    fields: ["on_error: block"],
    // With its folder, the script cannot be read either.
    script: `test "$(stat -c %a ${join(sandbox.userHooks, "guard", "HOOK.md")})" != 0 || { echo asked as before >&2; exit 2; }`,
  });
  const call = {
    client: "claude",
    event: "PreToolUse",
    cwd: sandbox.project,
    stdin: JSON.stringify(sandbox.payload(BASH, { tool_use_id: "first" })),
  };
  const module = new URL("../../../dist/call/bridge.js", import.meta.url).href;
  const args = [module, sandbox.root, join(dirname(folder), path), JSON.stringify(call)];
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--input-type=module",
    "--eval",
    UNREADABLE,
    ...args,
  ]);
  expect(JSON.parse(stdout)).toMatchObject([
    { exit: 0, stdout: "" },
    {
      exit: 2,
      stderr: expect.stringMatching(path === "guard/HOOK.md" ? /^asked as before$/m : /"guard".* EACCES/),
    },
  ]);
});
