import { spawn } from "node:child_process";
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHooks, type Hooks } from "@tenterhook/engine";
import { FileHooks, findLocations } from "@tenterhook/file-hooks";
import { TrustStore } from "@tenterhook/file-hooks/trust";
import { measure, type Row, type Suite } from "../measure.ts";

/** The cost of hooks in files, compared with the system calls that they need. */
export const fileHooksSuite: Suite = { oneShellHook, trustedProjectHook, discovery, tenAsyncHooks };

/** docs/decisions/2026-11-16-bars-of-file-hooks.md says why not less. */
const MAX_SHELL = 1.25;
const MAX_TRUSTED = 1.3;
const MAX_COLD = 2.5;
const MAX_CACHED = 1.6;

const SCRIPT = "#!/bin/sh\ncat >/dev/null\nexit 0\n";

const USER_HOOKS = join(".config", "agents", "hooks");
const PROJECT_HOOKS = join(".agents", "hooks");

/** A home folder with hooks, which is removed after the work. */
async function withHome<T>(
  names: readonly string[],
  more: string,
  work: (home: string) => Promise<T>,
  script = SCRIPT,
  root = USER_HOOKS,
): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), "tenterhook-bench-"));
  for (const name of names) {
    const folder = join(home, root, name);
    mkdirSync(join(folder, "scripts"), { recursive: true });
    writeFileSync(
      join(folder, "HOOK.md"),
      `---\nname: ${name}\ndescription: A hook for measuring\ntrigger: before_tool\n${more}---\n\n${"Some words. ".repeat(100)}\n`,
    );
    writeFileSync(join(folder, "scripts", "run.sh"), script, { mode: 0o755 });
  }
  try {
    return await work(home);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function hooksOf(home: string): Hooks {
  const hooks = createHooks();
  new FileHooks({ cwd: home, env: { ...process.env, HOME: home } }).attach(hooks);
  return hooks;
}

const payloadIn = (workDir: string) => ({
  toolName: "Shell",
  toolInput: { command: "ls" },
  sessionId: "bench",
  workDir,
});

async function oneShellHook(): Promise<Row[]> {
  return withHome(["only"], "matcher: { tool: Shell }\n", async (home) => [
    await againstSpawn(
      "one matching shell hook",
      home,
      join(home, USER_HOOKS, "only", "scripts", "run.sh"),
      MAX_SHELL,
    ),
  ]);
}

/** A project's hook is compared with what was trusted each time, and then run from the private copy that was made of that. */
async function trustedProjectHook(): Promise<Row[]> {
  const work = async (home: string): Promise<Row[]> => {
    const env = { ...process.env, HOME: home };
    const store = new TrustStore(findLocations(home, env).state);
    const { hooks } = await new FileHooks({ cwd: home, env }).catalogue("before_tool");
    for (const { folder, hook } of hooks) store.trust(folder, hook);
    const script = join(home, PROJECT_HOOKS, "only", "scripts", "run.sh");
    return [await againstSpawn("one matching hook of a project, trusted", home, script, MAX_TRUSTED)];
  };
  return withHome(["only"], "matcher: { tool: Shell }\n", work, SCRIPT, PROJECT_HOOKS);
}

async function againstSpawn(what: string, home: string, script: string, most: number): Promise<Row> {
  const hooks = hooksOf(home);
  const payload = payloadIn(home);
  const input = `${JSON.stringify(payload, undefined, 2)}\n`;
  const bare = () =>
    new Promise<void>((resolve) => {
      const child = spawn(script, [], { cwd: home });
      child.stdout.on("data", () => undefined);
      child.stderr.on("data", () => undefined);
      child.on("close", () => resolve());
      child.stdin.end(input);
    });
  const best = await measure(
    {
      bare: async (times) => {
        for (let i = 0; i < times; i++) await bare();
      },
      ours: async (times) => {
        for (let i = 0; i < times; i++) await hooks.dispatch("before_tool", payload);
      },
    },
    { times: 10, rounds: 150 },
  );
  return {
    what,
    against: "a bare spawn of its script",
    ours: best.ours,
    theirs: best.bare,
    bar: { most },
  };
}

async function discovery(): Promise<Row[]> {
  const names = Array.from({ length: 1000 }, (_, n) => `hook-${n}`);
  return withHome(names, "", async (home) => {
    const files = names.map((name) => join(home, ".config", "agents", "hooks", name, "HOOK.md"));
    const cache = join(home, ".cache");
    const discover = async () => {
      const fileHooks = new FileHooks({ cwd: home, env: { ...process.env, HOME: home } });
      await fileHooks.catalogue("session_end");
    };
    const buffer = Buffer.alloc(4096);
    const cold = await measure(
      {
        read: () => {
          for (const file of files) {
            const opened = openSync(file, "r");
            readSync(opened, buffer, 0, buffer.length, 0);
            closeSync(opened);
          }
        },
        ours: async () => {
          rmSync(cache, { recursive: true, force: true });
          await discover();
        },
      },
      { times: 1, rounds: 40 },
    );
    // The cache is written after the event.
    await new Promise(setImmediate);
    const warm = await measure(
      {
        stat: () => {
          for (const file of files) statSync(file);
        },
        ours: discover,
      },
      { times: 1, rounds: 40 },
    );
    return [
      {
        what: "discovering 1,000 hooks",
        against: "reading their first 4 KB",
        ours: cold.ours,
        theirs: cold.read,
        bar: { most: MAX_COLD },
      },
      {
        what: "discovering 1,000 hooks, cached",
        against: "a stat of each",
        ours: warm.ours,
        theirs: warm.stat,
        bar: { most: MAX_CACHED },
      },
    ];
  });
}

async function tenAsyncHooks(): Promise<Row[]> {
  const names = Array.from({ length: 10 }, (_, n) => `async-${n}`);
  const slow = "#!/bin/sh\ncat >/dev/null\nsleep 0.1\n";
  const run = (hooks: Hooks, home: string) => async (times: number) => {
    for (let i = 0; i < times; i++) {
      await hooks.dispatch("before_tool", payloadIn(home));
      await hooks.drain();
    }
  };
  const both = (one: string, ten: string) =>
    measure({ one: run(hooksOf(one), one), ten: run(hooksOf(ten), ten) }, { times: 1, rounds: 15 });
  const best = await withHome(
    names.slice(0, 1),
    "async: true\n",
    (one) => withHome(names, "async: true\n", (ten) => both(one, ten), slow),
    slow,
  );
  const what = "ten async hooks of 0.1 s, drained";
  return [{ what, against: "one", ours: best.ten, theirs: best.one, bar: { most: 3 } }];
}
