import { execFile, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { HookFile } from "@tenterhook/protocol";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { expect, test } from "vitest";
import { TrustStore } from "./trust-store.ts";

const COMPILED = new URL("../../dist/trust/trust-store.js", import.meta.url).href;
const PROCESSES = 8;

const HOOK: HookFile = {
  ...{ name: "guard", description: "", trigger: "before_tool", events: ["before_tool"], mode: "sync" },
  ...{ timeoutMs: 1_000, priority: 100, onError: "block", always: false, rejudge: true, metadata: {} },
};

function makeProject(): { readonly root: string; readonly state: string; hook(name: string): string } {
  const root = temporaryFolder();
  return {
    root,
    state: join(root, "state"),
    hook(name) {
      const folder = join(root, ".agents", "hooks", name);
      mkdirSync(join(folder, "scripts"), { recursive: true });
      writeFileSync(join(folder, "scripts", "run.sh"), `#!/bin/sh\n# ${name}\nexit 2\n`, { mode: 0o755 });
      return folder;
    },
  };
}

test("eight processes that trust and revoke at the same time lose none of 56 changes", async () => {
  const { root, state, hook } = makeProject();
  const names = Array.from({ length: PROCESSES }, (_, process) =>
    [0, 1, 2, 3].map((index) => hook(`hook-${process}-${index}`)),
  );
  const program = `
    import { existsSync } from "node:fs";
    const { TrustStore } = await import(${JSON.stringify(COMPILED)});
    const [state, go, ...folders] = process.argv.slice(2);
    const store = new TrustStore(state);
    console.log("ready");
    while (!existsSync(go));
    for (const folder of folders) store.trust(folder, ${JSON.stringify(HOOK)});
    for (const folder of folders.slice(0, 2)) if (!store.revoke(folder)) throw new Error(folder);
    store.trustToml(folders[0] + "/hooks.toml", "text");
  `;
  const file = join(root, "change.mjs");
  const go = join(root, "go");
  writeFileSync(file, program);
  const ended = names.map((folders) => {
    const child = spawn(process.execPath, [file, state, go, ...folders], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ready = new Promise((resolve) => child.stdout.once("data", resolve));
    const code = new Promise((resolve) => child.once("exit", resolve));
    return { ready, code };
  });
  await Promise.all(ended.map(({ ready }) => ready));
  writeFileSync(go, "");
  expect(await Promise.all(ended.map(({ code }) => code))).toEqual(names.map(() => 0));

  const store = new TrustStore(state);
  const trusted = store.list().map(({ folder }) => folder);
  expect(trusted.sort()).toEqual(names.flatMap((folders) => folders.slice(2)).sort());
  expect(names.map(([folder]) => store.toml(`${folder}/hooks.toml`))).toEqual(names.map(() => "text"));
  expect(readdirSync(state).filter((name) => name.includes("lock"))).toEqual([]);
});

test("the lock of a process that was killed does not keep anyone from trusting", async () => {
  const { state, hook } = makeProject();
  const folder = hook("guard");
  mkdirSync(state);
  const { stdout } = await promisify(execFile)(process.execPath, ["-p", "process.pid"]);
  writeFileSync(join(state, "trust.json.lock"), `${stdout.trim()} gone`);
  const store = new TrustStore(state);
  store.trust(folder, HOOK);
  expect(store.list()).toHaveLength(1);
  expect(existsSync(join(state, "trust.json.lock"))).toBe(false);
});

test("a store sees at once what another process changed", () => {
  const { state, hook } = makeProject();
  const [one, other] = [new TrustStore(state), new TrustStore(state)];
  const folders = ["first", "second", "third"].map(hook);
  for (const folder of folders) {
    one.trust(folder, HOOK);
    expect(other.get(folder)?.folder).toBe(folder);
    expect(other.revoke(folder)).toBe(true);
    expect(one.get(folder)).toBe(undefined);
  }
});
