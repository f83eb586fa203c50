import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { DENY, FileHooksSandbox } from "./file-hooks-sandbox.ts";

/** A process that swaps the contents of a file back and forth until it is ended. */
async function swapping(path: string, good: string, bad: string): Promise<ChildProcess> {
  const program = `
    const { renameSync, writeFileSync } = require("node:fs");
    const [path, good, bad] = process.argv.slice(1);
    process.stdout.write("ready");
    for (let n = 0; ; n++) {
      writeFileSync(path + ".new", n % 2 ? good : bad, { mode: 0o755 });
      renameSync(path + ".new", path);
      if (n % 8 === 0) { writeFileSync(path, bad); writeFileSync(path, good); }
    }`;
  const child = spawn(process.execPath, ["-e", program, path, good, bad], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout ?? child, "data");
  return child;
}

const copiesOf = (sandbox: FileHooksSandbox) => join(sandbox.home, ".local", "state", "tenterhook", "copies");

const copied = (sandbox: FileHooksSandbox) =>
  readdirSync(copiesOf(sandbox))
    .filter((name) => name !== "package.json")
    .sort();

describe("a trusted hook", () => {
  test("never runs tampered while its script is being swapped", async () => {
    const sandbox = new FileHooksSandbox();
    const ran = join(sandbox.root, "tampered");
    const folder = sandbox.hook(sandbox.projectHooks, "guard", {}, DENY);
    await sandbox.trustAll();
    const hooks = sandbox.hooks();
    const script = join(folder, "scripts", "run.sh");
    const good = readFileSync(script, "utf8");
    const bad = `#!/bin/sh\necho x >> ${ran}; exit 0\n`;
    const swapper = await swapping(script, good, bad.padEnd(good.length, "#"));
    const reasons = new Map<string, number>();
    for (let n = 0; n < 100; n++) {
      const answers = await Promise.all(Array.from({ length: 10 }, () => sandbox.shell(hooks)));
      for (const { reason = "went on" } of answers) {
        const kind = /^denied$|went on/.exec(reason)?.[0] ?? "refused";
        reasons.set(kind, (reasons.get(kind) ?? 0) + 1);
      }
    }
    swapper.kill("SIGKILL");
    expect(existsSync(ran)).toBe(false);
    expect(reasons.get("went on")).toBeUndefined();
    expect([...reasons.values()].reduce((sum, count) => sum + count, 0)).toBe(1_000);
  });

  test("runs from a copy that only its user can read, with its files and relative links", async () => {
    const sandbox = new FileHooksSandbox();
    const folder = sandbox.hook(
      sandbox.projectHooks,
      "guard",
      {},
      `cat "$(dirname "$0")/../data/words" "$TENTERHOOK_HOOK_DIR/link" "$TENTERHOOK_HOOK_DIR/folder/words" >&2; exit 2`,
    );
    sandbox.write(join(folder, "data", "words"), "word ");
    symlinkSync("data/words", join(folder, "link"));
    symlinkSync("./data", join(folder, "folder"));
    await sandbox.trustAll();
    const hooks = sandbox.hooks();
    expect((await sandbox.shell(hooks)).reason).toBe("word word word");
    const [copy = ""] = copied(sandbox);
    for (const path of [copiesOf(sandbox), join(copiesOf(sandbox), copy)])
      expect(statSync(path).mode & 0o777).toBe(0o700);
    expect(statSync(join(copiesOf(sandbox), copy, "scripts", "run.sh")).mode & 0o777).toBe(0o500);
  });

  test("cannot have a link by an absolute path", async () => {
    const sandbox = new FileHooksSandbox();
    const folder = sandbox.hook(sandbox.projectHooks, "guard", {}, DENY);
    symlinkSync(join(folder, "HOOK.md"), join(folder, "link"));
    await expect(sandbox.trustAll()).rejects.toThrow(/absolute path; make it a relative one/);
  });

  test("gets its copy back when that is missing or damaged", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.projectHooks, "guard", {}, DENY);
    await sandbox.trustAll();
    const hooks = sandbox.hooks();
    const [copy = ""] = copied(sandbox);
    const script = join(copiesOf(sandbox), copy, "scripts", "run.sh");
    const damage: readonly (() => void)[] = [
      () => rmSync(copiesOf(sandbox), { recursive: true }),
      () => rmSync(script),
      () => {
        rmSync(script);
        writeFileSync(script, "#!/bin/sh\nexit 0\n", { mode: 0o755 });
      },
      () => writeFileSync(join(copiesOf(sandbox), "package.json"), '{"type":"module"}'),
      () => mkdirSync(join(copiesOf(sandbox), copy, "scripts", "run"), { recursive: true }),
    ];
    for (const spoil of damage) {
      spoil();
      expect((await sandbox.shell(hooks)).reason).toBe("denied");
    }
  });

  test("that was trusted without a copy gets one when it first runs", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.projectHooks, "guard", {}, DENY);
    await sandbox.trustAll();
    rmSync(copiesOf(sandbox), { recursive: true });
    expect((await sandbox.shell(sandbox.hooks())).reason).toBe("denied");
    expect(copied(sandbox)).toHaveLength(1);
  });

  test("leaves no copy behind when it is trusted anew or its trust is revoked", async () => {
    const sandbox = new FileHooksSandbox();
    const folder = sandbox.hook(sandbox.projectHooks, "guard", {}, DENY);
    await sandbox.trustAll();
    const [first] = copied(sandbox);
    appendFileSync(join(folder, "scripts", "run.sh"), "# more\n");
    await sandbox.trustAll();
    expect(copied(sandbox)).toHaveLength(1);
    expect(copied(sandbox)).not.toContain(first);
    // The same content in another place keeps the copy that both have.
    sandbox.hook(sandbox.projectHooks, "other", {}, DENY);
    await sandbox.trustAll();
    sandbox.fileHooks().trust.revoke(folder);
    expect(copied(sandbox)).toHaveLength(1);
    sandbox.fileHooks().trust.revoke(join(sandbox.projectHooks, "other"));
    expect(copied(sandbox)).toHaveLength(0);
  });

  test("that imports a module of its own in Python stays what was trusted", async () => {
    const sandbox = new FileHooksSandbox();
    const folder = sandbox.hook(sandbox.projectHooks, "guard", {});
    sandbox.write(join(folder, "scripts", "words.py"), "WORDS = 'denied'\n");
    const script = "import sys, words\nsys.stderr.write(words.WORDS)\nsys.exit(2)\n";
    sandbox.write(join(folder, "scripts", "run.py"), `#!/usr/bin/env python3\n${script}`, 0o755);
    await sandbox.trustAll();
    const hooks = sandbox.hooks();
    for (let n = 0; n < 2; n++) expect((await sandbox.shell(hooks)).reason).toBe("denied");
    expect(readdirSync(join(folder, "scripts"))).toEqual(["run.py", "words.py"]);
  });

  test("is not trusted when it changed since a person read it", async () => {
    const sandbox = new FileHooksSandbox();
    const folder = sandbox.hook(sandbox.projectHooks, "guard", {}, DENY);
    const { trust } = sandbox.fileHooks();
    const { hooks } = await sandbox.fileHooks({ trustAll: true }).catalogue();
    const hook = hooks[0]?.hook;
    if (hook === undefined) throw new Error("no hook");
    expect(() => trust.trust(folder, hook, { expected: "another" })).toThrow(/changed meanwhile/);
    expect([trust.list(), copied(sandbox)]).toEqual([[], []]);
  });
});
