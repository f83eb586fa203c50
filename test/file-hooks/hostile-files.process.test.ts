import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { threadTimeMs } from "../../packages/engine/src/match/thread-time.ts";
import { DENY, FileHooksSandbox } from "./file-hooks-sandbox.ts";

const HEAD = "name: odd\ndescription: x\ntrigger: before_tool\n";

/** Frontmatter that a parser may choke on. */
const HOSTILE: Readonly<Record<string, string>> = {
  "an anchor that refers to itself": `${HEAD}metadata: &a\n  a: *a\n`,
  "an anchor that refers to itself in a list": `${HEAD}metadata: &a { list: [*a, *a] }\n`,
  "aliases that multiply": `${HEAD}metadata:\n  a: &a [1,1,1,1,1,1,1,1,1]\n${[..."bcdefgh"]
    .map((letter, at) => {
      const before = `*${"abcdefgh"[at]}`;
      return `  ${letter}: &${letter} [${Array(9).fill(before).join(",")}]\n`;
    })
    .join("")}`,
  "opened brackets": `${HEAD}metadata: ${"[".repeat(20_000)}\n`,
  "nested brackets": `${HEAD}metadata: ${"[".repeat(5_000)}${"]".repeat(5_000)}\n`,
  "nested braces": `${HEAD}metadata: ${"{a: ".repeat(3_000)}\n`,
  "nested list marks": `${HEAD}metadata:\n  ${"- ".repeat(5_000)}x\n`,
  "nested key marks": `${"? ".repeat(5_000)}x\n${HEAD}`,
  "a thousand fields": HEAD + Array.from({ length: 1_500 }, (_, n) => `k${n}: 1\n`).join(""),
  "escapes that YAML does not know": `${HEAD}x: "${"\\.".repeat(7_000)}"\n`,
  "errors without end": HEAD + "%\n".repeat(7_000),
  "a field of a megabyte": `${HEAD}x: ${"x".repeat(1_000_000)}\n`,
  "a pattern that takes seconds to compile": `${HEAD}matcher: { pattern: "${"a{1000}".repeat(300)}" }\n`,
  "a pattern of many classes": `${HEAD}matcher: { tool: '${"\\pL\\PL".repeat(400)}' }\n`,
  "a merge of itself": `${HEAD}metadata: &a\n  <<: *a\n`,
  "a field called __proto__": `${HEAD}__proto__: { name: 1 }\nmetadata: { __proto__: { overridable: true } }\n`,
  "bytes that are no UTF-8": `${HEAD}x: \u00ff\n`,
};

/** Writes a HOOK.md of a project's hook, byte by byte where the text has single bytes. */
function hostile(sandbox: FileHooksSandbox, name: string, frontmatter: string): string {
  const folder = join(sandbox.projectHooks, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "HOOK.md"), Buffer.from(`---\n${frontmatter}---\n`, "latin1"));
  return folder;
}

function folders(parent: string, count: number): void {
  execFileSync("mkdir", ["-p", ...Array.from({ length: count }, (_, n) => String(n))], { cwd: parent });
}

describe("a HOOK.md that is not trusted", () => {
  test.each(Object.entries(HOSTILE))("with %s touches no other hook", async (_what, frontmatter) => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.userHooks, "guard", {}, DENY);
    hostile(sandbox, "odd", frontmatter);
    const hooks = sandbox.hooks();
    const started = threadTimeMs();
    expect((await sandbox.shell(hooks)).reason).toBe("denied");
    // The parser is loaded with the first of them.
    expect(threadTimeMs() - started).toBeLessThan(1_500);
    // Also once it is read from the cache.
    expect((await sandbox.shell(sandbox.hooks())).reason).toBe("denied");
  });

  test("is reported with what is wrong and what to do", async () => {
    const sandbox = new FileHooksSandbox();
    hostile(sandbox, "itself", HOSTILE["an anchor that refers to itself"] ?? "");
    hostile(sandbox, "deep", HOSTILE["nested brackets"] ?? "");
    hostile(sandbox, "latin", HOSTILE["bytes that are no UTF-8"] ?? "");
    hostile(sandbox, "large", HOSTILE["a field of a megabyte"] ?? "");
    await sandbox.shell(sandbox.hooks());
    const logged = sandbox.logged.join("\n");
    expect(logged).toMatch(/itself.HOOK.md:\d+: error: .*contains itself/);
    expect(logged).toMatch(/deep.HOOK.md:\d+: error: .*(?:levels deep|marks)/);
    expect(logged).toMatch(/latin.HOOK.md:\d+: error: .*not UTF-8/);
    expect(logged).toMatch(/large.HOOK.md:\d+: error: .*within 16 KiB/);
  });

  test("delays an event only a moment, however many there are", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.userHooks, "guard", {}, DENY);
    const all = Object.values(HOSTILE);
    for (let n = 0; n < 60; n++) hostile(sandbox, `odd-${n}`, all[n % all.length] ?? "");
    // Just within every bound, and as slow as possible.
    for (let n = 0; n < 60; n++) hostile(sandbox, `slow-${n}`, `${HEAD}x: ${'"\\." '.repeat(150)}\n`);
    const hooks = sandbox.hooks();
    const started = threadTimeMs();
    expect((await sandbox.shell(hooks)).reason).toBe("denied");
    expect(threadTimeMs() - started).toBeLessThan(800);
    expect(sandbox.logged.join()).toMatch(/too many or too large to be read before an event/);
  });

  test("among thousands of folders costs each event little", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.userHooks, "guard", {}, DENY);
    mkdirSync(sandbox.projectHooks, { recursive: true });
    folders(sandbox.projectHooks, 2_500);
    hostile(sandbox, "1", HEAD);
    const hooks = sandbox.hooks();
    expect((await sandbox.shell(hooks)).reason).toBe("denied");
    const started = threadTimeMs();
    expect((await sandbox.shell(hooks)).reason).toBe("denied");
    expect(threadTimeMs() - started).toBeLessThan(200);
    expect(sandbox.logged.join()).toMatch(/500 of the hooks here/);
  });

  test("and a hooks.toml that is a pipe, a folder or huge delay nothing", async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(sandbox.userHooks, "guard", {}, DENY);
    const toml = join(sandbox.projectHooks, "hooks.toml");
    const kinds: readonly (() => void)[] = [
      () => execFileSync("mkfifo", [toml]),
      () => mkdirSync(toml),
      () => {
        writeFileSync(toml, "");
        truncateSync(toml, 8 * 1024 ** 3);
      },
    ];
    mkdirSync(sandbox.projectHooks, { recursive: true });
    for (const make of kinds) {
      make();
      expect((await sandbox.shell(sandbox.hooks())).reason).toBe("denied");
      expect(sandbox.logged.join()).toMatch(/hooks.toml: warning: it was never trusted/);
      expect((await sandbox.shell(sandbox.hooks({ trustAll: true }))).reason).toBe("denied");
      rmSync(toml, { recursive: true });
    }
    expect(sandbox.logged.join()).toMatch(/hooks.toml: error: it is not a file/);
    expect(sandbox.logged.join()).toMatch(/hooks.toml: error: it is larger than/);
  });
});

describe("a trusted guard that can no longer be read", () => {
  test.each<[string, (file: string) => void]>([
    ["a pipe", (file) => execFileSync("mkfifo", [file])],
    ["a folder", (file) => mkdirSync(file)],
    ["full of brackets", (file) => writeFileSync(file, `---\n${"[".repeat(20_000)}\n---\n`)],
    [
      "a file of eight gigabytes",
      (file) => {
        writeFileSync(file, "");
        truncateSync(file, 8 * 1024 ** 3);
      },
    ],
  ])("because its HOOK.md is %s blocks as changed", async (_what, make) => {
    const sandbox = new FileHooksSandbox();
    const folder = sandbox.hook(sandbox.projectHooks, "guard", {}, DENY);
    await sandbox.trustAll();
    const hooks = sandbox.hooks();
    const file = join(folder, "HOOK.md");
    rmSync(file);
    make(file);
    const { action, reason } = await sandbox.shell(hooks);
    expect(action).toBe("refuse");
    expect(reason).toMatch(/hook "guard".*not run.*tenterhook trust/);
  });

  test("because a folder tree without end was put into it blocks as changed", async () => {
    const sandbox = new FileHooksSandbox();
    const folder = sandbox.hook(sandbox.projectHooks, "guard", {}, DENY);
    await sandbox.trustAll();
    const hooks = sandbox.hooks();
    folders(folder, 2_100);
    const { reason } = await sandbox.shell(hooks);
    expect(reason).toMatch(/hook "guard".*not run/);
  });
});
