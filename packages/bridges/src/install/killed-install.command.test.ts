import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { expect, test } from "vitest";
import { client as claude } from "../clients/claude/index.ts";
import { client as codex } from "../clients/codex/index.ts";
import { install } from "./install.ts";
import { uninstall } from "./uninstall.ts";

const ORIGINAL = '{\n  "model": "opus"\n}\n';
const CONFIG = 'model = "gpt"\n';

/** Ends the process at the n-th change of the file system that it makes. */
const KILLER = `
  import fs from "node:fs";
  import { syncBuiltinESMExports } from "node:module";
  let left = Number(process.env.KILL_AT);
  for (const name of ["renameSync", "rmSync", "mkdirSync", "writeFileSync", "copyFileSync", "openSync", "fsyncSync"]) {
    const real = fs[name];
    fs[name] = (...args) => {
      if (process.env.COUNTING && --left < 0) process.kill(process.pid, "SIGKILL");
      return real(...args);
    };
  }
  syncBuiltinESMExports();
`;

function homeBeforeInstall() {
  const root = temporaryFolder();
  const home = join(root, "home");
  const bundle = join(root, "bundle");
  for (const folder of [join(home, ".claude"), join(home, ".codex"), bundle, join(root, "p")])
    mkdirSync(folder, { recursive: true });
  writeFileSync(join(home, ".claude", "settings.json"), ORIGINAL);
  writeFileSync(join(home, ".codex", "config.toml"), CONFIG);
  writeFileSync(join(bundle, "bridge.js"), "// the bridge\n");
  const options = {
    cwd: join(root, "p"),
    project: join(root, "p"),
    env: { HOME: home, PATH: "/usr/bin:/bin" },
  };
  return { root, home, bundle, options };
}

/** Installs in a process that ends at the n-th change; true when it came to its end. */
function killedAt(
  at: number,
  { root, bundle, options }: ReturnType<typeof homeBeforeInstall>,
): Promise<boolean> {
  const dist = (path: string) =>
    JSON.stringify(pathToFileURL(join(import.meta.dirname, "../../dist", path)).href);
  const program = join(root, "program.mjs");
  writeFileSync(join(root, "killer.mjs"), KILLER);
  writeFileSync(
    program,
    `import { install } from ${dist("install/index.js")};
     import { loadClient } from ${dist("clients/index.js")};
     const clients = [await loadClient("claude"), await loadClient("codex")];
     process.env.COUNTING = "1";
     await install({ ...${JSON.stringify(options)}, clients, scope: "user", bundle: ${JSON.stringify(bundle)}, version: "1.0.0" });`,
  );
  const child = spawn(process.execPath, ["--import", join(root, "killer.mjs"), program], {
    env: { ...options.env, KILL_AT: String(at) },
    stdio: ["ignore", "inherit", "inherit"],
  });
  return new Promise((resolve) => child.once("exit", (code) => resolve(code === 0)));
}

test("an installation that is killed at any change leaves whole files, is completed by the next, and can be undone", async () => {
  let isDone = false;
  for (let at = 0; !isDone; at += 4) {
    const here = homeBeforeInstall();
    isDone = await killedAt(at, here);
    const settings = join(here.home, ".claude", "settings.json");
    const now = readFileSync(settings, "utf8");
    expect(now === ORIGINAL || JSON.parse(now).hooks.PreToolUse.length === 1).toBe(true);
    const clients = [claude, codex];
    await install({ ...here.options, clients, scope: "user", bundle: here.bundle, version: "1.0.0" });
    expect(JSON.parse(readFileSync(settings, "utf8")).hooks.PreToolUse).toHaveLength(1);
    expect(readdirSync(join(here.home, ".claude"))).toEqual(["settings.json"]);
    await uninstall({ ...here.options, clients, scopes: ["user"] });
    expect(readFileSync(settings, "utf8")).toBe(ORIGINAL);
    expect(readFileSync(join(here.home, ".codex", "config.toml"), "utf8")).toBe(CONFIG);
    expect(existsSync(join(here.home, ".codex", "hooks.json"))).toBe(false);
    expect(at).toBeLessThan(400);
  }
});
